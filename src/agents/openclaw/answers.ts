import * as z from 'zod/mini';
import { modeOf, thinkingOf } from './modes.ts';
import { created, described, listed, listen, notOpened, opened, resolved, subscribed } from './opening.ts';
import type { Purpose } from './request-id.ts';
import { purposeOf } from './request-id.ts';
import { fetched, isOf, rowTold } from './rows.ts';
import type { State, Step } from './state.ts';
import { andThen, nothing, remembered, tell } from './state.ts';
import { caughtUp, settledAtLast } from './turns.ts';
import { Aborted, History, Patched, type Response, Row, Sent } from './wire.ts';

/** The answer to a request of ours; undefined when it is none. */
export function answered(state: State, { id, ok, payload, error }: Response): Step | undefined {
  const purpose = purposeOf(id);
  if (purpose === undefined) return undefined;
  return ok ? done(state, purpose, payload) : refused(state, purpose, error?.message ?? 'the Gateway refuses it');
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
      return andThen(historyTold(state, purpose.runId, payload), (next) => caughtUp(next, purpose.runId));
    case 'settle':
      return settledAtLast(state, purpose.runId);
    case 'row':
      return fetched(state, purpose.id, payload);
    case 'set':
      return chosen(state, purpose, payload);
    case 'stop':
    case 'answer':
      return nothing(state);
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
      return tell(state, { type: 'input.dropped', inputId: purpose.inputId, reason: state.closed ?? reason });
    case 'interrupt':
      return tell(state, { type: 'reply', to: purpose.requestId, ok: false, detail: reason });
    case 'left':
      return listen(state, purpose.key, purpose.wish);
    case 'history':
    case 'settle':
      return settledAtLast(state, purpose.runId);
    case 'row':
      return fetched(state, purpose.id, undefined);
    case 'set': {
      const { commandId, setting, value } = purpose;
      return tell(state, { type: 'setting.refused', commandId, setting, value, reason });
    }
    case 'answer':
      return tell(state, { type: 'notice.shown', level: 'warning', text: `OpenClaw did not take the answer to its request: ${reason}.` });
    case 'models':
    case 'stop':
      return nothing(state);
  }
}

const UNDER_WAY = new Set(['started', 'in_flight', 'accepted', 'queued']);

/** Accepted is not taken: its run has yet to begin. What the Gateway has had before under this name it does not run again, and says how that ended. */
function accepted(state: State, inputId: string, payload: unknown): Step {
  if (state.taken.includes(inputId)) return nothing(state);
  const parsed = z.safeParse(Sent, payload);
  if (!parsed.success || UNDER_WAY.has(parsed.data.status)) return nothing({ ...state, accepted: remembered(state.accepted, inputId) });
  const how = parsed.data.summary ?? parsed.data.status;
  return tell(state, { type: 'input.dropped', inputId, reason: `OpenClaw has had this message before (${how}), and does not take it twice` });
}

/** It may have come before the run: then that is stopped as soon as it begins. */
function interrupted(state: State, requestId: string, payload: unknown): Step {
  const parsed = z.safeParse(Aborted, payload);
  const isEarly = parsed.success && !parsed.data.aborted && state.turn === null && state.accepted.length > 0;
  return tell(isEarly ? { ...state, stopsNext: true } : state, { type: 'reply', to: requestId, ok: true });
}

/** What the Gateway has stored of a run, and has not told yet. */
function historyTold(state: State, runId: string, payload: unknown): Step {
  const parsed = z.safeParse(History, payload);
  if (state.turn?.runId !== runId || !parsed.success) return nothing(state);
  return parsed.data.messages.reduce<Step>((step, message) => {
    const row = z.safeParse(Row, message);
    const id = row.success ? row.data.__openclaw?.id : undefined;
    if (!row.success || id === undefined || row.data.role !== 'assistant' || !isOf(runId, row.data)) return step;
    return andThen(step, (next) => rowTold(next, id, row.data));
  }, nothing(state));
}

function chosen(state: State, { setting, value }: Extract<Purpose, { for: 'set' }>, payload: unknown): Step {
  const parsed = z.safeParse(Patched, payload);
  const entry = parsed.success ? parsed.data.entry : undefined;
  const reason = 'as it was asked for';
  if (setting === 'model') return tell({ ...state, description: redescribed(state, { model: value }) }, { type: 'model.changed', model: value, reason });
  if (setting === 'thinking') return tell(state, { type: 'thinking.changed', thinking: thinkingOf(entry?.thinkingLevel ?? value) ?? 'medium', reason });
  const mode = modeOf(entry?.permissionMode ?? value);
  return tell({ ...state, mode, description: redescribed(state, { permissionMode: mode }) }, { type: 'mode.changed', mode, reason });
}

/** The list of models may come later, with what the session is by then. */
const redescribed = ({ description }: State, change: { readonly model?: string; readonly permissionMode?: string }): State['description'] =>
  description === null ? null : { ...description, ...change };
