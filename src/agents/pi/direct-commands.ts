import * as z from 'zod/mini';
import type { Observation } from '../../protocol/observation.ts';
import { emit } from '../formats/fold.ts';
import { itemOf, resultOf } from '../formats/item-id.ts';
import type { Purpose } from './request-id.ts';
import type { State, Step } from './state.ts';
import { startTurn, turnEnded } from './turns.ts';
import type { Response } from './wire.ts';
import { ShellResult } from './wire.ts';

/** What Pi does for a person without using the model: a shell command (`!ls`) or a compaction. Shown as a turn. */

const SHELL = 'bash';

export function directCommandStarted(state: State, { inputId, errand, argument }: Extract<Purpose, { for: 'begin' }>): Step {
  const start = startTurn({ ...state, errand: inputId }, 'input');
  const call: Observation = {
    type: 'tool.started',
    itemId: itemOf(callId(inputId)),
    messageId: callId(inputId),
    index: 0,
    toolUseId: callId(inputId),
    name: SHELL,
    input: { command: argument },
  };
  return emit(start.state, ...start.observations, { type: 'input.taken', inputId }, ...(errand === 'shell' ? [call] : []));
}

const callId = (inputId: string): string => `shell:${inputId}`;

export function directCommandEnded(state: State, response: Response, { inputId, errand }: Extract<Purpose, { for: 'end' }>): Step {
  const shell = z.safeParse(ShellResult, response.data);
  const isCancelled = shell.success && shell.data.cancelled === true;
  const last = { stopReason: isCancelled ? 'aborted' : response.success ? 'stop' : 'error', text: '', ...(response.error ? { error: response.error } : {}) };
  const end = turnEnded({ ...state, turn: 'running', isMending: false, last });
  return emit(end.state, ...(errand === 'shell' ? [shellEnded(inputId, response, shell.data)] : []), ...end.observations);
}

function shellEnded(inputId: string, response: Response, result: z.infer<typeof ShellResult> | undefined): Observation {
  return {
    type: 'tool.completed',
    ...resultOf(callId(inputId)),
    output: result?.output ?? response.error ?? '',
    isError: !response.success || (result?.exitCode ?? 0) !== 0,
  };
}
