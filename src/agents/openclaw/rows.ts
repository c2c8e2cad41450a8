import * as z from 'zod/mini';
import type { KeptObservation, Observation } from '../../protocol/observation.ts';
import { archive, inputOf } from './history.ts';
import { requestLine } from './request-id.ts';
import type { Spent, State, Step } from './state.ts';
import { andThen, ask, nothing, remembered, tell, withTurn } from './state.ts';
import { dropTexts } from './texts.ts';
import { begin, caughtUp, endIfComplete, take } from './turns.ts';
import { Fetched, type Row } from './wire.ts';

/** A message as it was stored: what the record would tell of it, so that both tell the same. The Gateway sends some twice. */
export function rowTold(state: State, id: string, row: Row): Step {
  if (state.told.includes(id) || state.fetching.some((one) => one.id === id)) return nothing(state);
  return row.__openclaw?.truncated === true && state.key !== null ? fetchWhole(state, state.key, id, row) : rowKept(state, id, row);
}

/** The Gateway tells no more than 8,000 characters of a text by itself (2026.9.6), and the whole of it when asked. */
const WHOLE_CHARS = 2_000_000;

const fetchWhole = (state: State, sessionKey: string, id: string, cut: Row): Step =>
  ask(
    { ...state, fetching: [...state.fetching, { id, cut }] },
    requestLine({ for: 'row', id }, 'chat.message.get', { sessionKey, messageId: id, maxChars: WHOLE_CHARS }),
  );

/** The whole of a message, or, where the Gateway does not have it any more, what was told of it. */
export function fetched(state: State, id: string, payload: unknown): Step {
  const cut = state.fetching.find((one) => one.id === id)?.cut;
  if (cut === undefined) return nothing(state);
  const whole = z.safeParse(Fetched, payload);
  const row = whole.success && whole.data.ok ? (whole.data.message ?? cut) : cut;
  const known = { ...state, fetching: state.fetching.filter((one) => one.id !== id) };
  return andThen(rowKept(known, id, row), (next) => (next.turn === null ? nothing(next) : caughtUp(next, next.turn.runId)));
}

function rowKept(state: State, id: string, row: Row): Step {
  const known: State = { ...state, told: remembered(state.told, id) };
  switch (row.role) {
    case 'user':
      return userSpoke(known, id, row);
    case 'assistant':
      return andThen(answered(known, id, row), endIfComplete);
    // Results are told as they come, with the call.
    case 'toolResult':
    case 'system':
      return nothing(known);
    default:
      return tell(known, ...readAsRecord(id, row, state.cwd).observations);
  }
}

/** What came from us bears our name; it may come long after its run has begun, or even ended. */
function userSpoke(state: State, id: string, row: Row): Step {
  const inputId = inputOf(row);
  if (inputId === undefined) return tell(state, ...readAsRecord(id, row, state.cwd).observations);
  if (state.turn === null && !state.ended.includes(inputId)) return begin(state, inputId);
  return andThen(take(state, inputId), (next) => nothing(withTurn(next, { isAnswered: false })));
}

/** The state is stored with every event; a longer answer is in the transcript. */
const RESULT_CHARS = 2000;

/** A failed answer is told with the end of its turn, in better words than these. */
function answered(state: State, id: string, row: Row): Step {
  const isFailure = row.stopReason === 'error' && (row.idempotencyKey ?? '').endsWith(':terminal-error');
  const { observations, spent } = isFailure ? { observations: [], spent: undefined } : readAsRecord(id, row, state.cwd);
  const calls = state.turn?.calls ?? [];
  const told = observations.filter((one) => one.type !== 'tool.started' || !calls.includes(one.toolUseId));
  const { at: _, ...usage } = spent ?? {};
  const cost: readonly Observation[] = 'usage' in usage ? [{ type: 'usage.reported', ...usage }] : [];
  return andThen(dropTexts(state), (next) => tell(counted(next, row, told, spent), ...told, ...cost));
}

type Cost = ReturnType<typeof archive.read>['spent'];

function counted(state: State, row: Row, told: readonly KeptObservation[], spent: Cost): State {
  const next: State = { ...state, contextTokens: spent?.contextTokens ?? state.contextTokens };
  const { turn } = state;
  if (turn === null) return next;
  const calls = [...turn.calls, ...told.flatMap((one) => (one.type === 'tool.started' ? [one.toolUseId] : []))];
  if (!isOf(turn.runId, row)) return withTurn(next, { calls });
  const said = told.findLast((one) => one.type === 'assistant.text');
  const result = said?.type === 'assistant.text' ? { result: said.text.slice(0, RESULT_CHARS) } : {};
  return withTurn(next, { calls, isAnswered: row.stopReason !== 'toolUse', spent: plus(turn.spent, spent), ...result });
}

/** What the Gateway itself puts in the place of an answer names the run in another field. */
export const isOf = (runId: string, { idempotencyKey, __openclaw: meta }: Row): boolean =>
  meta?.runId === runId || idempotencyKey === runId || (idempotencyKey ?? '').startsWith(`${runId}:`);

const plus = (sum: Spent, spent: Cost): Spent => ({
  inputTokens: sum.inputTokens + (spent?.usage?.inputTokens ?? 0),
  outputTokens: sum.outputTokens + (spent?.usage?.outputTokens ?? 0),
  cacheReadTokens: sum.cacheReadTokens + (spent?.usage?.cacheReadTokens ?? 0),
  cacheWriteTokens: sum.cacheWriteTokens + (spent?.usage?.cacheWriteTokens ?? 0),
  costUsd: sum.costUsd + (spent?.costUsd ?? 0),
});

/** The row in the words of the record. */
function readAsRecord(id: string, message: Row, cwd: string) {
  const at = message.__openclaw?.recordTimestampMs;
  const timestamp = at === undefined ? {} : { timestamp: new Date(at).toISOString() };
  return archive.read(JSON.stringify({ type: 'message', id, parentId: null, ...timestamp, message }), { facts: { cwd } });
}
