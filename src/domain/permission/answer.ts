import type { CommandOf, Refusal } from '../../protocol/command.ts';
import type { Draft } from '../session/draft.ts';

/** A person's answer to a request that waits. A late or second one is told what happened. */
export function answer(draft: Draft, command: CommandOf<'permission.answer'>): Refusal | undefined {
  const { requestId, behavior, message, updatedInput } = command;
  const open = draft.state.permissions.find((request) => request.requestId === requestId);
  const { run } = draft.state;
  if (open === undefined) return tooLate(draft, command);
  if (run.phase === 'none') return { refused: 'conflict', message: 'The agent that asked is gone.' };
  draft.emit({
    type: 'permission.resolved',
    requestId,
    outcome: behavior === 'allow' ? 'allowed' : 'denied',
    behavior,
    commandId: command.commandId,
    ...(message !== undefined && { message }),
    ...(updatedInput !== undefined && { updatedInput }),
    ...(command.interrupt !== undefined && { interrupt: command.interrupt }),
  });
  draft.effect({ type: 'send-answer', run: run.run, requestId });
  return undefined;
}

function tooLate(draft: Draft, command: CommandOf<'permission.answer'>): Refusal {
  const closed = draft.state.closedPermissions.find((request) => request.requestId === command.requestId);
  if (closed === undefined) return { refused: 'not-found', message: 'There is no such request.' };
  return { refused: 'already-answered', message: `This request was ${closed.outcome} already, by ${closed.by}. Nothing was changed.` };
}

/** Closes every request that waits, because nobody can answer it any more. */
export function closeAll(draft: Draft, outcome: 'cancelled' | 'lapsed', message: string): void {
  for (const open of draft.state.permissions) {
    draft.emit({ type: 'permission.resolved', requestId: open.requestId, outcome, message });
  }
}
