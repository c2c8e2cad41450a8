import { memo } from 'react';
import type { TurnItem } from '../../../../src/domain/transcript/item.ts';
import { costText, durationText, tokensText } from '../../../base/words/words.ts';
import { AfterDeath } from './crashed-turn.tsx';

/** Where a turn ended, how, and what it took. */
export const TurnMark = memo(function TurnMark({ sessionId, item }: { readonly sessionId: string; readonly item: TurnItem }) {
  const { completed } = item;
  const facts = [
    completed.durationMs === undefined ? undefined : durationText(completed.durationMs),
    completed.costUsd === undefined ? undefined : costText(completed.costUsd),
    completed.usage === undefined ? undefined : `${tokensText(completed.usage.outputTokens)} tokens written`,
  ].filter((fact) => fact !== undefined);
  return (
    <div className={completed.isError ? 'turn-mark failed-line' : 'turn-mark'}>
      <span>{[wordOf(item), ...facts].join(' · ')}</span>
      {item.problems.map((problem) => (
        <p key={problem}>{problem}</p>
      ))}
      {completed.stopReason === AGENT_GONE && <AfterDeath sessionId={sessionId} commandId={completed.commandId} />}
    </div>
  );
});

/** The stop reason of a turn whose agent ended before it did. */
const AGENT_GONE = 'agent_exited';

const STOPS: Readonly<Record<string, string>> = {
  end_turn: 'Done',
  stop: 'Done',
  stop_sequence: 'Done',
  tool_use: 'Done',
  max_tokens: 'Stopped: the answer reached its longest length',
  refusal: 'The model refused',
  max_turns: 'Stopped: as many steps as this session may take in one turn; send a message to let it go on',
  max_budget_usd: 'Stopped: the money that this session may cost is spent',
  max_structured_output_retries: 'Stopped: it could not give its answer in the form that was asked for',
};

function wordOf({ completed }: TurnItem): string {
  if (completed.interrupted) return 'Interrupted';
  const words = STOPS[completed.stopReason];
  if (completed.isError) return words ?? (completed.stopReason === 'error' ? 'Failed' : `Failed: ${completed.stopReason}`);
  return words ?? `Ended: ${completed.stopReason}`;
}
