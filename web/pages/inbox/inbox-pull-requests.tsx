import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { SessionPr } from '../../../src/protocol/git.ts';
import type { Session } from '../../../src/protocol/session.ts';
import { VisibleLine } from '../../base/ui/visible-text.tsx';
import { PrCards } from '../../parts/pull-request/pr-cards.tsx';
import { useApp } from '../../store/cockpit-context.ts';

type WithNews = Session & { readonly pr: SessionPr };

/** Sessions whose pull request has a failed check or a new comment. */
export function usePullRequestNews(): readonly WithNews[] {
  const sessions = useApp((state) => state.sessions);
  return useMemo(() => [...sessions.values()].filter((session): session is WithNews => (session.pr?.cards.length ?? 0) > 0), [sessions]);
}

export function InboxPullRequests({ sessions }: { readonly sessions: readonly WithNews[] }) {
  return sessions.map((session) => (
    <section key={session.id} className="inbox-pr" aria-label={`Pull request of ${session.title}`}>
      <p>
        <Link to="/s/$sessionId/finish" params={{ sessionId: session.id }} className="approval-who">
          <VisibleLine text={session.title} />
        </Link>{' '}
        <span className="quiet">pull request #{session.pr.number}</span>
      </p>
      <PrCards sessionId={session.id} pr={session.pr} />
    </section>
  ));
}
