import type * as z from 'zod/mini';
import { emit, emitNothing, remember } from '../../formats/fold.ts';
import type { LineKind } from './line.ts';
import { line, silent } from './line.ts';
import type { State, Step } from './state.ts';
import { CommandLifecycle } from './wire-system.ts';

export const LIFECYCLE_LINES: Readonly<Record<string, LineKind>> = {
  'command_lifecycle/queued': silent('we already know that it is queued'),
  'command_lifecycle/started': line(CommandLifecycle, '`input.taken`, once', started),
  'command_lifecycle/completed': silent('the turn reports how it ended'),
  'command_lifecycle/cancelled': line(
    CommandLifecycle,
    '`input.dropped`; nothing when it had already started, because the turn reports how it ended',
    cancelled,
  ),
};

function started(state: State, command: z.infer<typeof CommandLifecycle>): Step {
  return inputTaken({ ...state, nextCause: 'input' }, command.command_uuid);
}

/** An interrupted or refused turn cancels the input it had already taken (2.1.325): that input was not dropped. */
function cancelled(state: State, command: z.infer<typeof CommandLifecycle>): Step {
  if (state.taken.includes(command.command_uuid)) return emitNothing(state);
  return emit(state, { type: 'input.dropped', inputId: command.command_uuid, reason: 'the agent canceled it before it started' });
}

/** Both the echo (all versions) and the lifecycle (since 2.1.206) report it; the first one counts. */
export function inputTaken(state: State, inputId: string, text?: string): Step {
  if (state.taken.includes(inputId)) return emitNothing(state);
  return emit({ ...state, taken: remember(state.taken, inputId) }, { type: 'input.taken', inputId, ...(text === undefined ? {} : { text }) });
}
