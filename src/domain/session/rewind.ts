import type { CommandOf, Refusal } from '../../protocol/command.ts';
import { inFlight } from '../queue/queue.ts';
import { openRun } from './advance.ts';
import type { Draft } from './draft.ts';

/** Restores the files to how they were at a message; a dry run only lists them. `messageId` is the agent's own id of it. */
export function rewind(draft: Draft, command: CommandOf<'files.rewind'>, messageId: string | undefined): Refusal | undefined {
  const { state, now } = draft;
  if (!now.can.rewind) return { refused: 'not-supported', message: 'This agent cannot restore files.' };
  if (messageId === undefined) return { refused: 'not-found', message: `Event ${command.seq} is not a message that the agent knows.` };
  if (state.turn.phase === 'running' || inFlight(state.queue) !== undefined) {
    return { refused: 'conflict', message: 'The agent is working. Interrupt it, or wait for the turn to end, before you restore files.' };
  }
  if (state.driver !== null) return { refused: 'driven-elsewhere', message: 'Another program has this conversation open. Take it over first.' };
  if (state.run.phase === 'ending') return { refused: 'conflict', message: 'The agent is shutting down. Try again in a moment.' };
  if (state.run.phase === 'none') {
    if (!now.hasFreeSlot)
      return {
        refused: 'too-many-live',
        message: 'The agent must run for this, and every agent slot is in use. Put an idle agent to sleep or stop one, then try again.',
      };
    openRun(draft, 'files.rewind');
  }
  const { run } = draft.state;
  draft.emit({ type: 'rewind.requested', commandId: command.commandId, messageSeq: command.seq, messageId, dryRun: command.dryRun });
  if (run.phase !== 'none') draft.effect({ type: 'send-rewind', run: run.run, commandId: command.commandId, messageId, dryRun: command.dryRun });
  return undefined;
}
