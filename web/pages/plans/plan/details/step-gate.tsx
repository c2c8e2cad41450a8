import { dependentsOf } from '../../../../../src/domain/plan/graph.ts';
import type { PlanGate, PlanNodeState, PlanState } from '../../../../../src/protocol/api/plan.ts';
import { NodeId } from '../../../../../src/protocol/plan.ts';
import { newId } from '../../../../client/new-id.ts';
import { GateForm } from '../../../../parts/plans/gate-form.tsx';
import { GateQuestion } from '../../../../parts/plans/gate-question.tsx';
import { usePlanPage } from '../steps/plan-context.ts';

/** An open gate, and the answers to it. */
export function StepGate({ node, gate }: { readonly node: PlanNodeState; readonly gate: PlanGate }) {
  const { plan, api, mayAct } = usePlanPage();
  return (
    <div className="step-gate">
      <GateQuestion gate={gate} />
      {mayAct && (
        <GateForm
          gateId={`${plan.id}:${gate.gate}`}
          why={gate.why}
          backTo={backChoices(plan, node)}
          onDecide={({ outcome, to, words }) =>
            api.decideGate(plan.id, node.id, { outcome, ...(to !== undefined && { to: NodeId.parse(to) }), ...(words !== undefined && { words }) }, newId())
          }
        />
      )}
    </div>
  );
}

/** The step itself if it works, then the steps before it that were done, its own needs first. */
function backChoices({ nodes }: Pick<PlanState, 'nodes'>, node: PlanNodeState): readonly PlanNodeState[] {
  const before = nodes.filter((one) => one.kind !== 'gate' && one.status !== 'running' && one.attempts.length > 0 && dependentsOf(nodes, one.id).has(node.id));
  const nearest = before.toSorted((a, b) => Number(node.needs.includes(b.id)) - Number(node.needs.includes(a.id)));
  return node.kind === 'gate' ? nearest : [node, ...nearest];
}
