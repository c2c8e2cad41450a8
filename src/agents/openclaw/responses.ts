import * as z from 'zod/mini';
import { andThen, emit, emitNothing } from '../formats/fold.ts';
import { thinkingOf } from '../formats/thinking.ts';
import { modeOf } from './modes.ts';
import { created, described, listed, listen, notOpened, opened, resolved, subscribed } from './open-conversation.ts';
import type { Purpose } from './request-id.ts';
import { purposeOf } from './request-id.ts';
import type { State, Step } from './state.ts';
import { remembered } from './state.ts';
import { fetched, isOf, observeStoredMessage } from './stored-messages.ts';
import { caughtUp, waitEnded } from './turns.ts';
import { Aborted, History, Patched, type Response, Row, Sent } from './wire.ts';

/** Reads the answer to our request; undefined when it answers something else. */
export function answered(state: State, { id, ok, payload, error }: Response): Step | undefined {
  const purpose = purposeOf(id);
  if (purpose === undefined) return undefined;
  return ok ? done(state, purpose, payload) : refused(state, purpose, error?.message ?? 'the Gateway refused it');
}

function done(state: State, purpose: Purpose, payload: unknown): Step {
  switch (purpose.for) {
    case 'create':
      return created(state, purpose, payload);
    case 'resolve':
      return resolved(state, purpose, payload);
    case 'describe':
      return described(state, purpose, payload);
    case 'left':
      return listen(state, purpose.key, purpose.wish);
    case 'subscribe':
      return subscribed(state, purpose);
    case 'open':
      return opened(state, purpose, payload);
    case 'models':
      return listed(state, payload);
    case 'input':
      return accepted(state, purpose.inputId, payload);
    case 'interrupt':
      return interrupted(state, purpose.requestId, payload);
    case 'history':
      return andThen(observeHistory(state, purpose.runId, payload), (next) => caughtUp(next, purpose.runId));
    case 'settle':
      return waitEnded(state, purpose.runId);
    case 'row':
      return fetched(state, purpose.id, payload);
    case 'set':
      return chosen(state, purpose, payload);
    case 'stop':
    case 'answer':
      return emitNothing(state);
  }
}

function refused(state: State, purpose: Purpose, reason: string): Step {
  switch (purpose.for) {
    case 'create':
    case 'resolve':
    case 'describe':
    case 'subscribe':
    case 'open':
      return notOpened(state, reason);
    case 'input':
      return emit(state, { type: 'input.dropped', inputId: purpose.inputId, reason: state.closed ?? reason });
    case 'interrupt':
      return emit(state, { type: 'reply', to: purpose.requestId, ok: false, detail: reason });
    case 'left':
      return listen(state, purpose.key, purpose.wish);
    case 'history':
    case 'settle':
      return waitEnded(state, purpose.runId);
    case 'row':
      return fetched(state, purpose.id, undefined);
    case 'set': {
      const { commandId, setting, value } = purpose;
      return emit(state, { type: 'setting.refused', commandId, setting, value, reason });
    }
    case 'answer':
      return emit(state, { type: 'notice.shown', level: 'warning', text: `OpenClaw rejected the answer to its request: ${reason}.` });
    case 'models':
    case 'stop':
      return emitNothing(state);
  }
}

const UNDER_WAY = new Set(['started', 'in_flight', 'accepted', 'queued']);

/** Accepted is not taken: the run has yet to start. The Gateway doesn't run the same name twice; it reports how the first run ended. */
function accepted(state: State, inputId: string, payload: unknown): Step {
  if (state.taken.includes(inputId)) return emitNothing(state);
  const parsed = z.safeParse(Sent, payload);
  if (!parsed.success || UNDER_WAY.has(parsed.data.status)) return emitNothing({ ...state, accepted: remembered(state.accepted, inputId) });
  const how = parsed.data.summary ?? parsed.data.status;
  return emit(state, { type: 'input.dropped', inputId, reason: `OpenClaw already got this message (${how}) and does not run it twice` });
}

/** If the interrupt arrived before the run, the run is stopped as soon as it starts. */
function interrupted(state: State, requestId: string, payload: unknown): Step {
  const parsed = z.safeParse(Aborted, payload);
  const isEarly = parsed.success && !parsed.data.aborted && state.turn === null && state.accepted.length > 0;
  return emit(isEarly ? { ...state, stopsNext: true } : state, { type: 'reply', to: requestId, ok: true });
}

/** Stored messages of a run that were not reported yet. */
function observeHistory(state: State, runId: string, payload: unknown): Step {
  const parsed = z.safeParse(History, payload);
  if (state.turn?.runId !== runId || !parsed.success) return emitNothing(state);
  return parsed.data.messages.reduce<Step>((step, message) => {
    const row = z.safeParse(Row, message);
    const id = row.success ? row.data.__openclaw?.id : undefined;
    if (!row.success || id === undefined || row.data.role !== 'assistant' || !isOf(runId, row.data)) return step;
    return andThen(step, (next) => observeStoredMessage(next, id, row.data));
  }, emitNothing(state));
}

function chosen(state: State, { setting, value }: Extract<Purpose, { for: 'set' }>, payload: unknown): Step {
  const parsed = z.safeParse(Patched, payload);
  const entry = parsed.success ? parsed.data.entry : undefined;
  const reason = 'as requested';
  if (setting === 'model') return emit({ ...state, description: redescribed(state, { model: value }) }, { type: 'model.changed', model: value, reason });
  if (setting === 'thinking') return emit(state, { type: 'thinking.changed', thinking: thinkingOf(entry?.thinkingLevel ?? value) ?? 'medium', reason });
  const mode = modeOf(entry?.permissionMode ?? value);
  return emit({ ...state, mode, description: redescribed(state, { permissionMode: mode }) }, { type: 'mode.changed', mode, reason });
}

/** The list of models may arrive later; the session is then reported again with its current settings. */
const redescribed = ({ description }: State, change: { readonly model?: string; readonly permissionMode?: string }): State['description'] =>
  description === null ? null : { ...description, ...change };
