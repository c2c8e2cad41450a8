import type * as z from 'zod/mini';
import type { LineKind } from './line.ts';
import { line } from './line.ts';
import type { State, Step } from './state.ts';
import { nothing, remember, tell } from './state.ts';
import { CommandLifecycle } from './wire.ts';

export const LIFECYCLE_LINES: Readonly<Record<string, LineKind>> = {
  'command_lifecycle/*': line(
    CommandLifecycle,
    '`input.taken` when started, `input.dropped` when cancelled before that; nothing when queued or completed (the turn tells)',
    moved,
  ),
};

function moved(state: State, command: z.infer<typeof CommandLifecycle>): Step {
  if (command.state === 'started') return inputTaken({ ...state, nextCause: 'input' }, command.command_uuid);
  // An interrupted or refused turn cancels the input that it had taken (2.1.325): that one was not dropped.
  if (command.state !== 'cancelled' || state.taken.includes(command.command_uuid)) return nothing(state);
  return tell(state, { type: 'input.dropped', inputId: command.command_uuid, reason: 'the agent cancelled it before it began' });
}

/** Both the echo (all versions) and the lifecycle (2.1.206 on) tell it; the first one counts. */
export function inputTaken(state: State, inputId: string, text?: string): Step {
  if (state.taken.includes(inputId)) return nothing(state);
  return tell({ ...state, taken: remember(state.taken, inputId) }, { type: 'input.taken', inputId, ...(text === undefined ? {} : { text }) });
}
