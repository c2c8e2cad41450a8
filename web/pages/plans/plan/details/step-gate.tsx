import { backChoices } from '../../../../../src/domain/plan/news.ts';
import type { PlanGate, PlanNodeState } from '../../../../../src/protocol/api/plan.ts';
import { NodeId } from '../../../../../src/protocol/plan.ts';
import { newId } from '../../../../client/new-id.ts';
import { GateForm } from '../../../../parts/plans/gate-form.tsx';
import { GateQuestion } from '../../../../parts/plans/gate-question.tsx';
import { usePlanPage } from '../plan-context.ts';

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
          backTo={backChoices(plan, node.id)}
          onDecide={({ outcome, to, words }) =>
            api.decideGate(plan.id, node.id, { outcome, ...(to !== undefined && { to: NodeId.parse(to) }), ...(words !== undefined && { words }) }, newId())
          }
        />
      )}
    </div>
  );
}
