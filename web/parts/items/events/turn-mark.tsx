import { memo } from 'react';
import type { TurnItem } from '../../../../src/domain/transcript/item.ts';
import { isFailedTurn, turnEndText, turnFacts } from '../../../../src/domain/transcript/outcomes.ts';
import { FailedTurnActions } from './failed-turn-actions.tsx';

/** Where a turn ended, how, and what it took. */
export const TurnMark = memo(function TurnMark({ sessionId, item }: { readonly sessionId: string; readonly item: TurnItem }) {
  const { completed, workMs } = item;
  const isFailed = isFailedTurn(completed);
  return (
    <div className={isFailed ? 'turn-mark failed-line' : 'turn-mark'}>
      <span>{[turnEndText(completed), ...turnFacts(completed, workMs)].join(' · ')}</span>
      {item.problems.map((problem) => (
        <p key={problem}>{problem}</p>
      ))}
      {isFailed && <FailedTurnActions sessionId={sessionId} turn={completed} />}
    </div>
  );
});
