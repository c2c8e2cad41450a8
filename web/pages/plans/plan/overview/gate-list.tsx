import { LampIcon } from '../../../../base/ui/lamp-icon.tsx';
import { VisibleLine } from '../../../../base/ui/visible-text.tsx';
import { GATE_WORDS } from '../../../../parts/plans/gate-question.tsx';
import { usePlanPage } from '../steps/plan-context.ts';

/** The steps that wait for a person. */
export function GateList() {
  const { plan, choose, titleOf } = usePlanPage();
  if (plan.gates.length === 0) return null;
  return (
    <ul className="gate-list">
      {plan.gates.map(({ gate, node, why }) => (
        <li key={gate}>
          <button type="button" onClick={() => choose(node)}>
            <LampIcon shape="diamond" />
            <span>
              <strong>
                <VisibleLine text={titleOf(node)} />
              </strong>
              <span className="quiet"> {GATE_WORDS[why]}</span>
            </span>
          </button>
        </li>
      ))}
    </ul>
  );
}
