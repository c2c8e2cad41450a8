import { Link } from '@tanstack/react-router';
import { useApp } from '../../store/cockpit-context.ts';

/** The step of a plan that the session works for. */
export function PlanChip({ plan: { planId, nodeId } }: { readonly plan: { readonly planId: string; readonly nodeId: string } }) {
  const title = useApp((state) => state.planNews.get(planId)?.title ?? planId);
  return (
    <Link to="/plans/$planId" params={{ planId }} search={{ step: nodeId }} className="chip" title={`Step ${nodeId} of the plan ${title}`}>
      Plan step<span className="unseen"> of {title}</span>
    </Link>
  );
}
