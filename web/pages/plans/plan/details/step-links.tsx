import type { PlanNodeState } from '../../../../../src/protocol/api/plan.ts';
import { LampIcon } from '../../../../base/ui/lamp-icon.tsx';
import { VisibleLine } from '../../../../base/ui/visible-text.tsx';
import { stepSign } from '../../../../parts/plans/signs.ts';
import { usePlanPage } from '../steps/plan-context.ts';
import { Part } from './part.tsx';

/** The steps before and after this one. */
export function StepLinks({ node }: { readonly node: PlanNodeState }) {
  const { plan } = usePlanPage();
  const before = plan.nodes.filter(({ id }) => node.needs.includes(id));
  const after = plan.nodes.filter(({ needs }) => needs.includes(node.id));
  return (
    <>
      <Steps title="Needs" steps={before} />
      <Steps title="Needed by" steps={after} />
    </>
  );
}

function Steps({ title, steps }: { readonly title: string; readonly steps: readonly PlanNodeState[] }) {
  const { choose } = usePlanPage();
  if (steps.length === 0) return null;
  return (
    <Part title={title}>
      <ul className="step-links">
        {steps.map(({ id, title: name, status }) => (
          <li key={id}>
            <button type="button" onClick={() => choose(id)}>
              <LampIcon shape={stepSign(status).shape} />
              <span>
                <VisibleLine text={name} />
                <span className="unseen">, {stepSign(status).word}</span>
              </span>
            </button>
          </li>
        ))}
      </ul>
    </Part>
  );
}
