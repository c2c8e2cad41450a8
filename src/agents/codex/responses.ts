import * as z from 'zod/mini';
import { emit, emitNothing } from '../formats/fold.ts';
import type { RpcMessage } from '../formats/json-rpc.ts';
import { thinkingOf } from '../formats/thinking.ts';
import { interruptLine } from './interrupt.ts';
import { isKnown } from './modes.ts';
import type { Purpose } from './request-id.ts';
import { purposeOf } from './request-id.ts';
import type { State, Step } from './state.ts';
import { handshakeAnswered, listed, notOpened, opened } from './thread-opened.ts';
import { Started } from './wire.ts';

type Answer = Extract<RpcMessage, { kind: 'result' | 'error' }>;

/** Reads the answer to our request; undefined when it answers something else. */
export function answered(state: State, answer: Answer): Step | undefined {
  const purpose = purposeOf(answer.id);
  if (purpose === undefined) return undefined;
  return answer.kind === 'error' ? refused(state, purpose, answer.error.message) : done(state, purpose, answer.result);
}

function done(state: State, purpose: Purpose, result: unknown): Step {
  switch (purpose.for) {
    case 'hello':
      return handshakeAnswered(state, result);
    case 'models':
      return listed(state, result);
    case 'open':
      return opened(state, result);
    case 'input':
      return inputAccepted(state, result);
    case 'compact':
      return emitNothing({ ...state, compaction: purpose.inputId });
    case 'interrupt':
      return emit(state, { type: 'reply', to: purpose.requestId, ok: true });
    case 'set':
      return chosen(state, purpose);
  }
}

/** Accepted is not taken, but from here on the turn can be stopped. */
function inputAccepted(state: State, result: unknown): Step {
  const parsed = z.safeParse(Started, result);
  if (!parsed.success || state.turnId !== null) return emitNothing(state);
  return state.stopsNext ? { ...emitNothing(state), replies: [interruptLine(state, 'next', parsed.data.turn.id)] } : emitNothing(state);
}

function refused(state: State, purpose: Purpose, reason: string): Step {
  switch (purpose.for) {
    case 'hello':
    case 'models':
      return emitNothing(state);
    case 'open':
      return notOpened(state, reason);
    case 'input':
    case 'compact':
      return emit({ ...state, stopsNext: false }, { type: 'input.dropped', inputId: purpose.inputId, reason: state.closed ?? reason });
    case 'interrupt':
      return notInterrupted(state, purpose.requestId, reason);
    case 'set':
      return chosen(state, purpose);
  }
}

/** An interrupt must name the turn's id. If it arrived before the turn, the turn is stopped as soon as it starts. */
function notInterrupted(state: State, requestId: string, reason: string): Step {
  const observed = { type: 'reply', to: requestId, ok: false, detail: reason } as const;
  if (requestId === 'next') return emitNothing(state);
  if (state.turnId === null) return emit({ ...state, stopsNext: true }, observed);
  return { ...emit(state, observed), replies: [interruptLine(state, 'next', state.turnId)] };
}

/** Settings are sent with the next turn; only then does Codex accept or reject them. */
function chosen(state: State, { commandId, setting, value }: Extract<Purpose, { for: 'set' }>): Step {
  const { wishes } = state;
  const reason = 'as requested, from the next turn on';
  if (setting === 'model') return emit({ ...state, wishes: { ...wishes, model: value } }, { type: 'model.changed', model: value, reason });
  if (setting === 'mode') {
    if (!isKnown(value)) return emit(state, { type: 'setting.refused', commandId, setting, value, reason: 'Codex has no such mode' });
    return emit({ ...state, wishes: { ...wishes, mode: value } }, { type: 'mode.changed', mode: value, reason });
  }
  if (value === 'off') return emit(state, { type: 'setting.refused', commandId, setting, value, reason: 'Codex models always think' });
  return emit({ ...state, wishes: { ...wishes, thinking: value } }, { type: 'thinking.changed', thinking: thinkingOf(value) ?? 'medium', reason });
}
