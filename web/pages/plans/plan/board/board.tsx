import { LampIcon } from '../../../../base/ui/lamp-icon.tsx';
import { VisibleLine } from '../../../../base/ui/visible-text.tsx';
import { StepFacts } from '../steps/step-facts.tsx';
import type { StepListProps, StepView } from '../steps/step-view.ts';
import './board.css';

/** The columns, and the shapes that belong into each. */
const COLUMNS = [
  ['Not started', ['dotted', 'ring', 'barred']],
  ['Running', ['disc']],
  ['Needs you', ['diamond', 'square']],
  ['Done', ['check', 'skip']],
] as const satisfies readonly (readonly [string, readonly StepView['sign']['shape'][]])[];

/** The same steps by their state. */
export default function Board({ drawing: { steps }, chosen, onChoose }: StepListProps) {
  return (
    <div className="board">
      {COLUMNS.map(([title, shapes]) => {
        const inColumn = steps.filter(({ sign }) => shapes.some((shape) => shape === sign.shape));
        return (
          <section key={title} aria-label={title}>
            <h2>
              {title} <span className="quiet">{inColumn.length}</span>
            </h2>
            <ul>
              {inColumn.map((step) => (
                <li key={step.id} className={`state-${step.sign.shape}`}>
                  <button type="button" data-step={step.id} aria-current={step.id === chosen ? 'true' : undefined} onClick={() => onChoose(step.id)}>
                    <LampIcon shape={step.sign.shape} />
                    <span className="board-title">
                      <VisibleLine text={step.title} />
                    </span>
                    <StepFacts step={step} />
                  </button>
                </li>
              ))}
            </ul>
          </section>
        );
      })}
    </div>
  );
}
