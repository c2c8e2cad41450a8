import type { PlanGate } from '../../../src/protocol/api/plan.ts';
import type { GateWhy } from '../../../src/protocol/plan.ts';
import { VisibleText } from '../../base/ui/visible-text.tsx';
import { Ago } from '../common/ago.tsx';

export const GATE_WORDS: Readonly<Record<GateWhy, string>> = {
  gate: 'Waits for your decision',
  verify: 'The check failed',
  merge: 'Conflicts with the plan’s branch',
  time: 'The time limit is used up',
  deaths: 'Its agent ended three times',
  start: 'Couldn’t be started',
};

/** Why a step waits for a person, and what it asks. */
export function GateQuestion({ gate: { why, question, at } }: { readonly gate: PlanGate }) {
  return (
    <div className="gate-question">
      <p>
        <strong>{GATE_WORDS[why]}</strong> <Ago at={at} />
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <p className="gate-text" tabIndex={0}>
        <VisibleText text={question} />
      </p>
    </div>
  );
}
