import type { CommandOf, Refusal } from '../../protocol/command.ts';
import { inFlight } from '../queue/queue.ts';
import type { Draft } from './draft.ts';
import { open } from './drive.ts';

/** Puts the files back to how they were at a message; a dry run only tells which. `messageId` is the agent's own id of it. */
export function rewind(draft: Draft, command: CommandOf<'files.rewind'>, messageId: string | undefined): Refusal | undefined {
  const { state, now } = draft;
  if (!now.can.rewind) return { refused: 'not-supported', message: 'This agent cannot put files back.' };
  if (messageId === undefined) return { refused: 'not-found', message: `Event ${command.seq} is no message that the agent knows.` };
  if (state.turn.phase === 'running' || inFlight(state.queue) !== undefined) {
    return { refused: 'conflict', message: 'The agent works. Interrupt it, or wait for the end of the turn, before files are put back.' };
  }
  if (state.driver !== null) return { refused: 'driven-elsewhere', message: 'Another program holds this conversation. Take it over first.' };
  if (state.run.phase === 'ending') return { refused: 'conflict', message: 'The agent is just ending. Try again in a moment.' };
  if (state.run.phase === 'none') {
    if (!now.placeFree)
      return { refused: 'too-many-live', message: 'The agent must run for this, and as many run as may at once. Stop one, or let one fall asleep.' };
    open(draft, 'files.rewind');
  }
  const { run } = draft.state;
  draft.emit({ type: 'rewind.requested', commandId: command.commandId, messageSeq: command.seq, messageId, dryRun: command.dryRun });
  if (run.phase !== 'none') draft.effect({ type: 'send-rewind', run: run.run, commandId: command.commandId, messageId, dryRun: command.dryRun });
  return undefined;
}
