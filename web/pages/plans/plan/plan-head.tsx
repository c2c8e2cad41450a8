import { Link } from '@tanstack/react-router';
import { ChevronLeft } from 'lucide-react';
import type { PlanState } from '../../../../src/protocol/api/plan.ts';
import { durationText } from '../../../base/text/format.ts';
import type { LampSign } from '../../../base/ui/lamp.ts';
import { LampIcon } from '../../../base/ui/lamp-icon.tsx';
import { VisibleLine } from '../../../base/ui/visible-text.tsx';
import type { PlanView } from '../../../parts/address/plan-address.ts';
import { PlanActions } from './plan-actions.tsx';
import { costOf } from './steps/cost-of.ts';

interface PlanHeadProps {
  readonly plan: PlanState;
  readonly sign: LampSign;
  readonly view: PlanView;
  /** The views that this width has. */
  readonly views: readonly (readonly [PlanView, string])[];
  readonly onView: (view: PlanView) => void;
}

/** Title, state, progress, cost and time of a plan, and what can be done with all of it. */
export function PlanHead({ plan, sign, view, views, onView }: PlanHeadProps) {
  return (
    <header className="page-head plan-head">
      <Link to="/plans" className="icon-button" aria-label="All plans">
        <ChevronLeft size={18} aria-hidden="true" />
      </Link>
      <LampIcon shape={sign.shape} />
      <h1>
        <VisibleLine text={plan.head.title} />
      </h1>
      <p className={`plan-facts state-${sign.shape}`} role="status">
        <span className="row-word">{sign.word}</span>
        <span>{progressText(plan)}</span>
        {plan.spent.turns > 0 && <span>{costOf(plan.spent)}</span>}
        {plan.spent.ms > 0 && <span>{durationText(plan.spent.ms)} of work</span>}
      </p>
      {views.length > 1 && (
        <fieldset className="window-choice plan-views">
          <legend className="unseen">View</legend>
          {views.map(([id, label]) => (
            <button key={id} type="button" aria-pressed={view === id} onClick={() => onView(id)}>
              {label}
            </button>
          ))}
        </fieldset>
      )}
      <PlanActions />
    </header>
  );
}

/** 3 of 8 done. */
export function progressText({ nodes }: Pick<PlanState, 'nodes'>): string {
  const done = nodes.filter(({ status }) => status === 'done' || status === 'skipped').length;
  return nodes.length === 0 ? 'no steps' : `${done} of ${nodes.length} done`;
}
