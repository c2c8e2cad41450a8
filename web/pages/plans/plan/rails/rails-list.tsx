import { memo, useEffect, useMemo, useRef } from 'react';
import { LampIcon } from '../../../../base/ui/lamp-icon.tsx';
import { VisibleLine, VisibleText } from '../../../../base/ui/visible-text.tsx';
import { StepFacts } from '../steps/step-facts.tsx';
import type { Mark, StepListProps, StepView } from '../steps/step-view.ts';
import { LANE, RailSign } from './rail-sign.tsx';
import { type Rail, railsOf } from './rails.ts';
import './rails.css';

/** Left and right of the rails. */
const MARGIN = 12;

/** The plan as a list: every step below what it needs, with rails that connect them. */
export function RailsList({ drawing: { steps, marks }, chosen, onChoose }: StepListProps) {
  const shape = JSON.stringify(steps.map(({ id, needs }) => [id, needs]));
  // biome-ignore lint/correctness/useExhaustiveDependencies: equal shapes have the same rails
  const rails = useMemo(() => railsOf(steps), [shape]);
  const byId = useMemo(() => new Map(steps.map((step) => [step.id, step])), [steps]);
  const lanes = 1 + Math.max(0, ...rails.flatMap(({ lane, through }) => [lane, ...through]));
  return (
    <ol className="rails">
      {rails.map((rail) => {
        const step = byId.get(rail.id);
        if (step === undefined) return null;
        return <RailRow key={rail.id} rail={rail} lanes={lanes} step={step} mark={marks.get(rail.id)} isChosen={rail.id === chosen} onChoose={onChoose} />;
      })}
    </ol>
  );
}

interface RailRowProps {
  readonly rail: Rail;
  readonly lanes: number;
  readonly step: StepView;
  readonly mark: Mark | undefined;
  readonly isChosen: boolean;
  readonly onChoose: (id: string) => void;
}

const RailRow = memo(function RailRow({ rail, lanes, step, mark, isChosen, onChoose }: RailRowProps) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (isChosen) button.current?.scrollIntoView({ block: 'nearest' });
  }, [isChosen]);
  return (
    <li className={`rail-row state-${step.sign.shape}${mark === undefined ? '' : ` mark-${mark}`}`}>
      <RailSign rail={rail} />
      <button
        ref={button}
        type="button"
        data-step={step.id}
        aria-current={isChosen ? 'true' : undefined}
        style={{ paddingLeft: MARGIN + lanes * LANE + MARGIN }}
        onClick={() => onChoose(step.id)}
      >
        <span className="rail-lamp" style={{ left: MARGIN + rail.lane * LANE }}>
          <LampIcon shape={step.sign.shape} />
        </span>
        <span className="rail-title">
          <VisibleLine text={step.title} />
          {mark !== undefined && <span className="rail-mark"> · {MARK_WORDS[mark]}</span>}
        </span>
        <StepFacts step={step} />
        {step.waits !== undefined && (
          <span className="rail-waits">
            <VisibleText text={step.waits} />
          </span>
        )}
      </button>
    </li>
  );
});

const MARK_WORDS: Readonly<Record<Mark, string>> = { added: 'new', removed: 'removed', edited: 'changed', rewired: 'rewired' };
