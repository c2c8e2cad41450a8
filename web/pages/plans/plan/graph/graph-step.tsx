import { memo } from 'react';
import { LampIcon } from '../../../../base/ui/lamp-icon.tsx';
import { VisibleLine } from '../../../../base/ui/visible-text.tsx';
import { StepFacts } from '../steps/step-facts.tsx';
import type { Mark, StepView } from '../steps/step-view.ts';

export interface GraphStepData extends Record<string, unknown> {
  readonly step: StepView;
  readonly mark: Mark | undefined;
  readonly isChosen: boolean;
  readonly isCritical: boolean;
}

const MARK_WORDS: Readonly<Record<Mark, string>> = { added: 'new', removed: 'removed', edited: 'changed', rewired: 'rewired' };

/** One step in the graph: lamp, title, state, who does it, cost and time. */
export const GraphStep = memo(function GraphStep({ data: { step, mark, isChosen, isCritical } }: { readonly data: GraphStepData }) {
  const classes = ['graph-step', `state-${step.sign.shape}`, `kind-${step.kind}`];
  if (mark !== undefined) classes.push(`mark-${mark}`);
  if (isCritical) classes.push('critical');
  return (
    <div className={classes.join(' ')} data-step={step.id} data-chosen={isChosen ? '' : undefined}>
      <LampIcon shape={step.sign.shape} />
      <p className="graph-step-title" title={step.title}>
        <VisibleLine text={step.title} />
      </p>
      {mark !== undefined && <span className="graph-step-mark">{MARK_WORDS[mark]}</span>}
      <StepFacts step={step} />
    </div>
  );
});
