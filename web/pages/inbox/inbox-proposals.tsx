import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { PlanNews } from '../../../src/protocol/api/plan.ts';
import { LampIcon } from '../../base/ui/lamp-icon.tsx';
import { VisibleLine, VisibleText } from '../../base/ui/visible-text.tsx';
import { Ago } from '../../parts/common/ago.tsx';
import { useApp } from '../../store/cockpit-context.ts';

/** Plans that agents want to change. */
export function useProposingPlans(): readonly PlanNews[] {
  const news = useApp((state) => state.planNews);
  return useMemo(() => [...news.values()].filter(({ openProposals }) => openProposals.length > 0), [news]);
}

/** A proposal is read as a diff in its plan, so its card leads there. */
export function InboxProposals({ plans }: { readonly plans: readonly PlanNews[] }) {
  return plans.flatMap(({ id, title, openProposals }) =>
    openProposals.map(({ proposalId, why, by, at }) => (
      <article key={proposalId} className="inbox-proposal" aria-label={`Proposed change of ${title}`}>
        <p className="approval-head">
          <LampIcon shape="diamond" />
          <span className="approval-wants">
            <Link to="/plans/$planId" params={{ planId: id }} className="approval-who">
              <VisibleLine text={title} />
            </Link>{' '}
            <VisibleLine text={by} /> proposes a change
          </span>
          <Ago at={at} />
        </p>
        <p>
          <VisibleText text={why} />
        </p>
        <Link to="/plans/$planId" params={{ planId: id }} search={{ proposal: proposalId }} className="button primary">
          Look at the change
        </Link>
      </article>
    )),
  );
}
