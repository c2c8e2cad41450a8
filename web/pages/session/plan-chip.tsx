import { Link } from '@tanstack/react-router';
import type { Session } from '../../../src/protocol/session.ts';
import { useApp } from '../../store/cockpit-context.ts';

/** The step of a plan that the session works for; or the plan, if it makes its steps. */
export function PlanChip({ plan: { planId, nodeId } }: { readonly plan: NonNullable<Session['plan']> }) {
  const title = useApp((state) => state.planNews.get(planId)?.title ?? planId);
  return (
    <Link
      to="/plans/$planId"
      params={{ planId }}
      search={nodeId === undefined ? {} : { step: nodeId }}
      className="chip"
      title={nodeId === undefined ? `Plans ${title}` : `Step ${nodeId} of the plan ${title}`}
    >
      {nodeId === undefined ? 'Plan' : 'Plan step'}
      <span className="unseen"> of {title}</span>
    </Link>
  );
}
