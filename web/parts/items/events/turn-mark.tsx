import { memo } from 'react';
import type { TurnItem } from '../../../../src/domain/transcript/item.ts';
import { AGENT_GONE, turnEndText, turnFacts } from '../../../../src/domain/transcript/outcomes.ts';
import { CrashedTurn } from './crashed-turn.tsx';

/** Where a turn ended, how, and what it took. */
export const TurnMark = memo(function TurnMark({ sessionId, item }: { readonly sessionId: string; readonly item: TurnItem }) {
  const { completed } = item;
  return (
    <div className={completed.isError ? 'turn-mark failed-line' : 'turn-mark'}>
      <span>{[turnEndText(completed), ...turnFacts(completed)].join(' · ')}</span>
      {item.problems.map((problem) => (
        <p key={problem}>{problem}</p>
      ))}
      {completed.stopReason === AGENT_GONE && <CrashedTurn sessionId={sessionId} commandId={completed.commandId} />}
    </div>
  );
});
