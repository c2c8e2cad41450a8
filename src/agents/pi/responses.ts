import * as z from 'zod/mini';
import type { Observation } from '../../protocol/observation.ts';
import { errandBegan, errandEnded } from './errands.ts';
import { greeted, listed } from './hello.ts';
import type { LineKind } from './line.ts';
import { line } from './line.ts';
import { requestLine } from './print.ts';
import type { Purpose } from './request-id.ts';
import { idOf, purposeOf } from './request-id.ts';
import { gateOrder, settingAnswered } from './settings.ts';
import type { State, Step } from './state.ts';
import { nothing, remember, tell } from './state.ts';
import { askWhetherSettled, began, turnEnded } from './turns.ts';
import { unrecognised } from './unrecognised.ts';
import { AgentState, Response } from './wire.ts';

export const RESPONSE_LINES: Readonly<Record<string, LineKind>> = { response: line(Response, answered) };

function answered(state: State, response: Response): Step {
  const purpose = purposeOf(response.id);
  if (purpose !== undefined) return forPurpose(state, response, purpose);
  if (response.id === undefined) return nameless(state, response);
  const told: Observation = { type: 'reply', to: response.id, ok: response.success, ...(response.error ? { detail: response.error } : {}) };
  // Any news of the agent's state will do to see that it has come to rest.
  const step = response.command === 'get_state' ? settled(state, response) : nothing(state);
  return { ...step, observations: [told, ...step.observations] };
}

function forPurpose(state: State, response: Response, purpose: Purpose): Step {
  switch (purpose.for) {
    case 'hello':
      return greeted(state, response, purpose.cwd);
    case 'list':
      return listed(state, response);
    case 'input':
      return inputAnswered(state, response, purpose);
    case 'slash':
      return slashAnswered(state, response, purpose.inputId);
    case 'begin':
      return errandBegan(state, purpose);
    case 'end':
      return errandEnded(state, response, purpose);
    case 'settle':
      return settled(state, response);
    case 'set':
      return settingAnswered(state, response, purpose);
    case 'clear':
      return response.success ? queueCleared(state) : nothing(state);
    case 'aside':
      return nothing(state);
  }
}

const queueCleared = (state: State): Step =>
  tell(
    { ...state, inputs: [] },
    ...state.inputs.map((inputId): Observation => ({ type: 'input.dropped', inputId, reason: 'the turn was interrupted before the agent took this message' })),
  );

/** 0.73.1 does not know `clear_queue`, which we send with an interrupt; anything else of the kind is a request that we should not have made. */
function nameless(state: State, response: Response): Step {
  if (response.command === 'clear_queue') return nothing(state);
  return tell(state, unrecognised(JSON.stringify(response), `an answer without an id: ${response.error ?? response.command}`));
}

/** Accepted is not taken: a message that steers waits for the end of a tool. */
function inputAnswered(state: State, { success, error }: Response, { inputId, isSlash }: Extract<Purpose, { for: 'input' }>): Step {
  if (!success) return tell(state, { type: 'input.dropped', inputId, reason: error ?? 'the agent refused the message' });
  const next: State = { ...state, inputs: remember(state.inputs, inputId) };
  return isSlash ? { ...nothing(next), replies: [requestLine({ id: idOf({ for: 'slash', inputId }), type: 'get_state' })] } : nothing(next);
}

/** A command of an extension is carried out without a word; a template begins a turn before this answer comes. */
function slashAnswered(state: State, response: Response, inputId: string): Step {
  if (!isAtRest(response) || state.turn !== 'idle' || !state.inputs.includes(inputId)) return nothing(state);
  const start = began({ ...state, inputs: state.inputs.filter((other) => other !== inputId) }, 'input');
  const end = turnEnded(start.state);
  return tell(end.state, ...start.observations, { type: 'input.taken', inputId }, ...end.observations);
}

/** Handlers of other extensions may hold Pi up behind its `agent_end`: then our own extension waits for the end of that, and answers. */
function settled(state: State, response: Response): Step {
  if (state.turn !== 'settling' || state.isMending) return nothing(state);
  if (response.command !== 'get_state') return askWhetherSettled(state);
  if (isAtRest(response)) return turnEnded(state);
  return purposeOf(response.id) === undefined
    ? nothing(state)
    : { ...nothing(state), replies: [requestLine({ id: idOf({ for: 'settle' }), ...gateOrder('rest') })] };
}

function isAtRest({ data }: Response): boolean {
  const parsed = z.safeParse(AgentState, data);
  return parsed.success && !parsed.data.isStreaming && parsed.data.isCompacting !== true;
}
