import * as z from 'zod/mini';
import type { RpcMessage } from '../formats/json-rpc.ts';
import { interruptLine } from './interrupt.ts';
import { isKnown, thinkingOf } from './modes.ts';
import { greeted, listed, notOpened, opened } from './opened.ts';
import type { Purpose } from './request-id.ts';
import { purposeOf } from './request-id.ts';
import type { State, Step } from './state.ts';
import { nothing, tell } from './state.ts';
import { Started } from './wire.ts';

type Answer = Extract<RpcMessage, { kind: 'result' | 'error' }>;

/** The answer to a request of ours; undefined when it is none. */
export function answered(state: State, answer: Answer): Step | undefined {
  const purpose = purposeOf(answer.id);
  if (purpose === undefined) return undefined;
  return answer.kind === 'error' ? refused(state, purpose, answer.error.message) : done(state, purpose, answer.result);
}

function done(state: State, purpose: Purpose, result: unknown): Step {
  switch (purpose.for) {
    case 'hello':
      return greeted(state, result);
    case 'models':
      return listed(state, result);
    case 'open':
      return opened(state, result);
    case 'input':
      return inputAccepted(state, result);
    case 'compact':
      return nothing({ ...state, compaction: purpose.inputId });
    case 'interrupt':
      return tell(state, { type: 'reply', to: purpose.requestId, ok: true });
    case 'set':
      return chosen(state, purpose);
  }
}

/** Accepted is not taken, but from now on the turn can be stopped. */
function inputAccepted(state: State, result: unknown): Step {
  const parsed = z.safeParse(Started, result);
  if (!parsed.success || state.turnId !== null) return nothing(state);
  return state.stopsNext ? { ...nothing(state), replies: [interruptLine(state, 'next', parsed.data.turn.id)] } : nothing(state);
}

function refused(state: State, purpose: Purpose, reason: string): Step {
  switch (purpose.for) {
    case 'hello':
    case 'models':
      return nothing(state);
    case 'open':
      return notOpened(state, reason);
    case 'input':
    case 'compact':
      return tell({ ...state, stopsNext: false }, { type: 'input.dropped', inputId: purpose.inputId, reason: state.closed ?? reason });
    case 'interrupt':
      return notInterrupted(state, purpose.requestId, reason);
    case 'set':
      return chosen(state, purpose);
  }
}

/** It may have come before the turn, whose id it must name: then the turn is stopped as soon as it begins. */
function notInterrupted(state: State, requestId: string, reason: string): Step {
  const told = { type: 'reply', to: requestId, ok: false, detail: reason } as const;
  if (requestId === 'next') return nothing(state);
  if (state.turnId === null) return tell({ ...state, stopsNext: true }, told);
  return { ...tell(state, told), replies: [interruptLine(state, 'next', state.turnId)] };
}

/** Codex is told with the next turn; whether it likes it shows then. */
function chosen(state: State, { commandId, setting, value }: Extract<Purpose, { for: 'set' }>): Step {
  const { wishes } = state;
  const reason = 'as it was asked for, from the next turn on';
  if (setting === 'model') return tell({ ...state, wishes: { ...wishes, model: value } }, { type: 'model.changed', model: value, reason });
  if (setting === 'mode') {
    if (!isKnown(value)) return tell(state, { type: 'setting.refused', commandId, setting, value, reason: 'Codex has no such mode' });
    return tell({ ...state, wishes: { ...wishes, mode: value } }, { type: 'mode.changed', mode: value, reason });
  }
  if (value === 'off') return tell(state, { type: 'setting.refused', commandId, setting, value, reason: 'models of Codex think always' });
  return tell({ ...state, wishes: { ...wishes, thinking: value } }, { type: 'thinking.changed', thinking: thinkingOf(value) ?? 'medium', reason });
}
