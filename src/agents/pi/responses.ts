import * as z from 'zod/mini';
import type { Observation } from '../../protocol/observation.ts';
import type { Reader } from '../formats/fold.ts';
import { emit, emitNothing, readerFor, remember } from '../formats/fold.ts';
import { unrecognized } from '../formats/unrecognized.ts';
import { directCommandEnded, directCommandStarted } from './direct-commands.ts';
import { handshakeAnswered, listed } from './handshake.ts';
import type { Purpose } from './request-id.ts';
import { idOf, purposeOf } from './request-id.ts';
import { requestLine } from './request-lines.ts';
import { gateCommand, settingAnswered } from './settings.ts';
import type { State, Step } from './state.ts';
import { askWhetherSettled, startTurn, turnEnded } from './turns.ts';
import { AgentState, Response } from './wire.ts';

export const RESPONSE_LINES: Readonly<Record<string, Reader<State>>> = { response: readerFor(Response, answered) };

function answered(state: State, response: Response): Step {
  const purpose = purposeOf(response.id);
  if (purpose !== undefined) return forPurpose(state, response, purpose);
  if (response.id === undefined) return responseWithoutId(state, response);
  const observed: Observation = { type: 'reply', to: response.id, ok: response.success, ...(response.error ? { detail: response.error } : {}) };
  // Any report of the agent's state shows whether it is idle.
  const step = response.command === 'get_state' ? settled(state, response) : emitNothing(state);
  return { ...step, observations: [observed, ...step.observations] };
}

function forPurpose(state: State, response: Response, purpose: Purpose): Step {
  switch (purpose.for) {
    case 'hello':
      return handshakeAnswered(state, response, purpose.cwd);
    case 'list':
      return listed(state, response);
    case 'input':
      return inputAnswered(state, response, purpose);
    case 'slash':
      return slashAnswered(state, response, purpose.inputId);
    case 'begin':
      return directCommandStarted(state, purpose);
    case 'end':
      return directCommandEnded(state, response, purpose);
    case 'settle':
      return settled(state, response);
    case 'set':
      return settingAnswered(state, response, purpose);
    case 'clear':
      return response.success ? queueCleared(state) : emitNothing(state);
    case 'aside':
      return emitNothing(state);
  }
}

const queueCleared = (state: State): Step =>
  emit(
    { ...state, inputs: [] },
    ...state.inputs.map((inputId): Observation => ({ type: 'input.dropped', inputId, reason: 'the turn was interrupted before the agent took this message' })),
  );

/** 0.73.1 doesn't know `clear_queue`, which we send with an interrupt; any other answer without an id is a bug in our request. */
function responseWithoutId(state: State, response: Response): Step {
  if (response.command === 'clear_queue') return emitNothing(state);
  return emit(state, unrecognized(JSON.stringify(response), `an answer without an id: ${response.error ?? response.command}`));
}

/** Accepted is not taken: a steering message waits for the end of a tool. */
function inputAnswered(state: State, { success, error }: Response, { inputId, isSlash }: Extract<Purpose, { for: 'input' }>): Step {
  if (!success) return emit(state, { type: 'input.dropped', inputId, reason: error ?? 'the agent refused the message' });
  const next: State = { ...state, inputs: remember(state.inputs, inputId) };
  return isSlash ? { ...emitNothing(next), replies: [requestLine({ id: idOf({ for: 'slash', inputId }), type: 'get_state' })] } : emitNothing(next);
}

/** An extension's command prints nothing; a template starts a turn before this answer arrives. */
function slashAnswered(state: State, response: Response, inputId: string): Step {
  if (!isIdle(response) || state.turn !== 'idle' || !state.inputs.includes(inputId)) return emitNothing(state);
  const start = startTurn({ ...state, inputs: state.inputs.filter((other) => other !== inputId) }, 'input');
  const end = turnEnded(start.state);
  return emit(end.state, ...start.observations, { type: 'input.taken', inputId }, ...end.observations);
}

/** Other extensions' handlers may delay Pi after `agent_end`: then our extension waits until Pi is idle, and answers. */
function settled(state: State, response: Response): Step {
  if (state.turn !== 'settling' || state.isMending) return emitNothing(state);
  if (response.command !== 'get_state') return askWhetherSettled(state);
  if (isIdle(response)) return turnEnded(state);
  return purposeOf(response.id) === undefined
    ? emitNothing(state)
    : { ...emitNothing(state), replies: [requestLine({ id: idOf({ for: 'settle' }), ...gateCommand('rest') })] };
}

function isIdle({ data }: Response): boolean {
  const parsed = z.safeParse(AgentState, data);
  return parsed.success && !parsed.data.isStreaming && parsed.data.isCompacting !== true;
}
