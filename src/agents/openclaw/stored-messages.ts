import * as z from 'zod/mini';
import type { KeptObservation, Observation } from '../../protocol/observation.ts';
import { andThen, emit, emitNothing, sendLines } from '../formats/fold.ts';
import { plus } from '../formats/spent.ts';
import { archive, inputOf } from './archive.ts';
import { requestLine } from './request-id.ts';
import type { State, Step } from './state.ts';
import { remembered, withTurn } from './state.ts';
import { dropTexts, isKnownPreamble } from './streamed-text.ts';
import { caughtUp, endIfComplete, startTurn, takeInput } from './turns.ts';
import { Fetched, type Row } from './wire.ts';

/** A stored message, read like the record so that both report the same. The Gateway sends some twice. */
export function observeStoredMessage(state: State, id: string, row: Row): Step {
  if (state.told.includes(id) || state.fetching.some((one) => one.id === id)) return emitNothing(state);
  return row.__openclaw?.truncated === true && state.key !== null ? fetchWhole(state, state.key, id, row) : observeCompleteMessage(state, id, row);
}

/** The Gateway truncates a text to 8,000 characters (2026.9.6), and sends all of it on request. */
const WHOLE_CHARS = 2_000_000;

const fetchWhole = (state: State, sessionKey: string, id: string, cut: Row): Step =>
  sendLines(
    { ...state, fetching: [...state.fetching, { id, cut }] },
    requestLine({ for: 'row', id }, 'chat.message.get', { sessionKey, messageId: id, maxChars: WHOLE_CHARS }),
  );

/** The complete message or, when the Gateway no longer has it, the truncated one. */
export function fetched(state: State, id: string, payload: unknown): Step {
  const cut = state.fetching.find((one) => one.id === id)?.cut;
  if (cut === undefined) return emitNothing(state);
  const whole = z.safeParse(Fetched, payload);
  const row = whole.success && whole.data.ok ? (whole.data.message ?? cut) : cut;
  const known = { ...state, fetching: state.fetching.filter((one) => one.id !== id) };
  return andThen(observeCompleteMessage(known, id, row), (next) => (next.turn === null ? emitNothing(next) : caughtUp(next, next.turn.runId)));
}

function observeCompleteMessage(state: State, id: string, row: Row): Step {
  const known: State = { ...state, told: remembered(state.told, id) };
  switch (row.role) {
    case 'user':
      return userMessageStored(known, id, row);
    case 'assistant':
      return andThen(answered(known, id, row), endIfComplete);
    // Results are reported as they arrive, with the call.
    case 'toolResult':
    case 'system':
      return emitNothing(known);
    default:
      return emit(known, ...readAsRecord(id, row, state.cwd).observations);
  }
}

/** Our own messages carry our id; they may arrive long after their run started, or even ended. */
function userMessageStored(state: State, id: string, row: Row): Step {
  const inputId = inputOf(row);
  if (inputId === undefined) return emit(state, ...readAsRecord(id, row, state.cwd).observations);
  if (state.turn === null && !state.ended.includes(inputId)) return startTurn(state, inputId);
  return andThen(takeInput(state, inputId), (next) => emitNothing(withTurn(next, { isAnswered: false })));
}

/** The state is stored with every event; the transcript has the full answer. */
const RESULT_CHARS = 2000;

/** A failed answer is reported with the end of its turn, with a better message. */
function answered(state: State, id: string, row: Row): Step {
  const isFailure = row.stopReason === 'error' && (row.idempotencyKey ?? '').endsWith(':terminal-error');
  const { observations, spent } = isFailure ? { observations: [], spent: undefined } : readAsRecord(id, row, state.cwd);
  const { at: _, ...usage } = spent ?? {};
  const cost: readonly Observation[] = 'usage' in usage ? [{ type: 'usage.reported', ...usage }] : [];
  return andThen(dropTexts(state), (next) => {
    const fresh = observations.filter((one) => !isReported(next, one));
    return emit(counted(next, row, fresh, spent), ...fresh, ...cost);
  });
}

function isReported(state: State, one: KeptObservation): boolean {
  if (one.type === 'assistant.text') return isKnownPreamble(state, one.text);
  return one.type === 'tool.started' && state.turn?.calls.includes(one.toolUseId) === true;
}

type Cost = ReturnType<typeof archive.read>['spent'];

function counted(state: State, row: Row, fresh: readonly KeptObservation[], spent: Cost): State {
  const next: State = { ...state, contextTokens: spent?.contextTokens ?? state.contextTokens };
  const { turn } = state;
  if (turn === null) return next;
  const calls = [...turn.calls, ...fresh.flatMap((one) => (one.type === 'tool.started' ? [one.toolUseId] : []))];
  if (!isOf(turn.runId, row)) return withTurn(next, { calls });
  const answer = fresh.findLast((one) => one.type === 'assistant.text');
  const result = answer?.type === 'assistant.text' ? { result: answer.text.slice(0, RESULT_CHARS) } : {};
  return withTurn(next, {
    calls,
    isAnswered: row.stopReason !== 'toolUse',
    spent: plus(turn.spent, { ...spent?.usage, costUsd: spent?.costUsd ?? 0 }),
    ...result,
  });
}

/** Messages that the Gateway writes itself in place of an answer name the run in another field. */
export const isOf = (runId: string, { idempotencyKey, __openclaw: meta }: Row): boolean =>
  meta?.runId === runId || idempotencyKey === runId || (idempotencyKey ?? '').startsWith(`${runId}:`);

/** The row read as a record line. */
function readAsRecord(id: string, message: Row, cwd: string) {
  const at = message.__openclaw?.recordTimestampMs;
  const timestamp = at === undefined ? {} : { timestamp: new Date(at).toISOString() };
  return archive.read(JSON.stringify({ type: 'message', id, parentId: null, ...timestamp, message }), { facts: { cwd } });
}
