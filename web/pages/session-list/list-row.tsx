import { memo, useEffect, useRef } from 'react';
import { BypassSign } from '../../base/ui/bypass-sign.tsx';
import { lampOf, wordOf } from '../../base/ui/lamp.ts';
import { LampIcon } from '../../base/ui/lamp-icon.tsx';
import { Ago } from '../../parts/common/ago.tsx';
import { MachineName } from '../../parts/common/machine-name.tsx';
import { sessionLine } from '../../parts/common/session-line.ts';
import { UnreadDot } from '../../parts/common/unread-dot.tsx';
import { useUnread } from '../../parts/common/use-unread.ts';
import { HealthSpark } from '../../parts/health/health-spark.tsx';
import { useSessionListState } from '../../parts/session-list/use-session-list.ts';
import { useApp } from '../../store/cockpit-context.ts';
import { RowMenu } from './row-menu.tsx';
import { StarButton } from './star-button.tsx';

interface ListRowProps {
  readonly id: string;
  readonly isChosen: boolean;
}

/** Tags shown beside a title; the rest are counted. */
const SHOWN_TAGS = 3;

/** One session: lamp, title, tags, last line, project, agent and time. */
export const ListRow = memo(function ListRow({ id, isChosen }: ListRowProps) {
  const session = useSessionListState((state) => state.sessions.get(id));
  const agent = useApp((state) => state.agents?.find((known) => known.id === session?.agent)?.title);
  const link = useRef<HTMLAnchorElement>(null);
  const isUnread = useUnread(session);
  useEffect(() => {
    const isThere = link.current?.parentElement?.contains(document.activeElement) === true;
    const isTyping = document.activeElement?.matches('input') === true;
    if (isChosen && !isThere && !isTyping) link.current?.focus({ preventScroll: true });
  }, [isChosen]);
  if (session === undefined) return <p className="row-gone">Deleted</p>;
  const lamp = lampOf(session);
  // The time of its last event is not how long it has been running.
  const isActive = lamp.shape === 'disc' || lamp.shape === 'diamond';
  return (
    <div className={`list-row state-${lamp.shape}${isUnread ? ' unread' : ''}`}>
      <a ref={link} href={`s/${id}`} data-session={id} className="list-link" aria-current={isChosen ? 'true' : undefined}>
        <LampIcon shape={lamp.shape} />
        <span className="row-main">
          <span className="row-head">
            <span className="row-title">
              {session.title}
              {isUnread && <UnreadDot />}
            </span>
            <Tags tags={session.tags} />
          </span>
          <span className="row-line">
            <span className="row-folder">{session.project} · </span>
            {sessionLine(session)}
          </span>
        </span>
        <span className="row-where">
          <span className="row-project" title={session.cwd}>
            {session.project}
          </span>
          <span className="row-agent">
            {agent ?? session.agent}
            {session.control === 'elsewhere' && ' · in a terminal'} <MachineName session={session} />
          </span>
        </span>
        <span className="row-health">{session.health !== undefined && <HealthSpark brief={session.health} />}</span>
        <span className="row-state">
          <BypassSign mode={session.permissionMode} />
          <span className="row-word">{wordOf(lamp, isUnread)}</span> {!isActive && <Ago at={session.updatedAt} />}
        </span>
      </a>
      <StarButton session={session} />
      <RowMenu session={session} />
    </div>
  );
});

function Tags({ tags }: { readonly tags: readonly string[] }) {
  if (tags.length === 0) return null;
  return (
    <span className="row-tags">
      {tags.slice(0, SHOWN_TAGS).map((tag) => (
        <span key={tag} className="chip">
          {tag}
        </span>
      ))}
      {tags.length > SHOWN_TAGS && <span className="quiet">+{tags.length - SHOWN_TAGS}</span>}
    </span>
  );
}
