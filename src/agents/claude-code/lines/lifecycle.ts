import type * as z from 'zod/mini';
import type { State, Step } from '../state.ts';
import { nothing, remember, tell } from '../state.ts';
import type { LineKind } from './line.ts';
import { line, silent } from './line.ts';
import { CommandLifecycle } from './wire-system.ts';

export const LIFECYCLE_LINES: Readonly<Record<string, LineKind>> = {
  'command_lifecycle/queued': silent('it waits, as we know'),
  'command_lifecycle/started': line(CommandLifecycle, '`input.taken`, once', started),
  'command_lifecycle/completed': silent('the turn tells how it ended'),
  'command_lifecycle/cancelled': line(CommandLifecycle, '`input.dropped`; nothing when it had begun, then the turn tells how it ended', cancelled),
};

function started(state: State, command: z.infer<typeof CommandLifecycle>): Step {
  return inputTaken({ ...state, nextCause: 'input' }, command.command_uuid);
}

/** An interrupted or refused turn cancels the input that it had taken (2.1.325): that one was not dropped. */
function cancelled(state: State, command: z.infer<typeof CommandLifecycle>): Step {
  if (state.taken.includes(command.command_uuid)) return nothing(state);
  return tell(state, { type: 'input.dropped', inputId: command.command_uuid, reason: 'the agent cancelled it before it began' });
}

/** Both the echo (all versions) and the lifecycle (2.1.206 on) tell it; the first one counts. */
export function inputTaken(state: State, inputId: string, text?: string): Step {
  if (state.taken.includes(inputId)) return nothing(state);
  return tell({ ...state, taken: remember(state.taken, inputId) }, { type: 'input.taken', inputId, ...(text === undefined ? {} : { text }) });
}
