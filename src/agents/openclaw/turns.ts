import type { Observation } from '../../protocol/observation.ts';
import { isOurs, requestLine } from './request-id.ts';
import type { Closing, State, Step, Turn } from './state.ts';
import { andThen, NOTHING_SPENT, nothing, remembered, tell } from './state.ts';
import { dropTexts } from './texts.ts';
import type { ChatEvent } from './wire.ts';

/** The turn of this run, begun when it is not yet; undefined when the run is over, or another one is under way. */
export function inTurn(state: State, runId: string): Step | undefined {
  if (state.turn !== null) return state.turn.runId === runId ? nothing(state) : undefined;
  return state.ended.includes(runId) ? undefined : begin(state, runId);
}

/** What we sent is a run under the name of the input, so its beginning says that it was taken. */
export function begin(state: State, runId: string): Step {
  const isInput = isOurs(runId);
  const begun = tell({ ...state, turn: fresh(runId), stopsNext: false }, { type: 'turn.began', cause: isInput ? 'input' : 'agent' });
  const stop = state.stopsNext && state.key !== null ? [requestLine({ for: 'stop' }, 'chat.abort', { sessionKey: state.key, runId })] : [];
  return { ...andThen(begun, (next) => (isInput ? take(next, runId) : nothing(next))), replies: stop };
}

/** Told once: with its run, or, when it steers, with the message that the model gets. */
export function take(state: State, inputId: string): Step {
  if (state.taken.includes(inputId)) return nothing(state);
  const accepted = state.accepted.filter((other) => other !== inputId);
  return tell({ ...state, accepted, taken: remembered(state.taken, inputId) }, { type: 'input.taken', inputId });
}

const fresh = (runId: string): Turn => ({
  runId,
  isWorking: false,
  isSettled: false,
  isAnswered: false,
  closing: null,
  texts: { text: null, thinking: null },
  items: 0,
  calls: [],
  spent: NOTHING_SPENT,
  denials: 0,
  attempts: 0,
  error: null,
  result: '',
});

const OVER = new Set(['final', 'error', 'aborted']);

/** A run says that it is over before all of it was told: its last message, and the results of calls that were cut off, may follow (2026.9.6). */
export function chatTold(state: State, chat: ChatEvent): Step {
  if (!OVER.has(chat.state) || state.ended.includes(chat.runId)) return nothing(state);
  if (state.turn !== null && state.turn.runId !== chat.runId) return steerOver(state, chat);
  if (state.turn === null && !isOurs(chat.runId)) return nothing(state);
  const step = state.turn === null ? begin(state, chat.runId) : nothing(state);
  return andThen(step, (next) => close(next, closingOf(chat)));
}

/** A message that steers is a run of its own which ends at once. One that ends badly before it was taken never will be. */
function steerOver(state: State, { runId, state: how, errorMessage }: ChatEvent): Step {
  if (how === 'final' || !isOurs(runId) || state.taken.includes(runId)) return nothing(state);
  const reason = errorMessage ?? 'the agent was stopped before it had taken it';
  return tell({ ...state, accepted: state.accepted.filter((other) => other !== runId) }, { type: 'input.dropped', inputId: runId, reason });
}

const closingOf = ({ state, stopReason, errorMessage, errorDetail, hasMessage }: ChatEvent): Closing => ({
  state,
  stopReason: stopReason ?? null,
  error: [errorMessage, errorDetail?.providerErrorMessagePreview].filter((words) => words).join(': ') || null,
  expectsAnswer: hasMessage === true && state !== 'error',
});

/** The same end may be told twice. */
function close(state: State, closing: Closing): Step {
  const { turn, key } = state;
  if (turn === null || turn.closing !== null) return nothing(state);
  const next: State = { ...state, turn: { ...turn, closing } };
  if (isComplete(next.turn)) return end(next);
  return {
    state: next,
    observations: [],
    replies: [requestLine({ for: 'history', runId: turn.runId }, 'chat.history', { sessionKey: key ?? '', limit: 20, maxChars: 500_000 })],
  };
}

const isComplete = (turn: Turn | null): boolean =>
  turn !== null && turn.closing !== null && (!turn.isWorking || turn.isSettled) && (!turn.closing.expectsAnswer || turn.isAnswered);

/** Ends a turn whose last part has come. */
export const endIfComplete = (state: State): Step => (isComplete(state.turn) && state.fetching.length === 0 ? end(state) : nothing(state));

/** All that is stored of the run was told by now: what does not say that it is settled is asked once more, for a while. */
export function caughtUp(state: State, runId: string): Step {
  const { turn } = state;
  if (turn === null || turn.runId !== runId || turn.closing === null || state.fetching.length > 0) return nothing(state);
  if (!turn.isWorking || turn.isSettled) return end(state);
  return { state, observations: [], replies: [requestLine({ for: 'settle', runId }, 'agent.wait', { runId, timeoutMs: SETTLE_MS })] };
}

/** Aborted calls gave their result within 0.1 s. */
const SETTLE_MS = 3000;

/** What is still being fetched ends it when it is there. */
export const settledAtLast = (state: State, runId: string): Step =>
  state.turn?.runId === runId && state.turn.closing !== null && state.fetching.length === 0 ? end(state) : nothing(state);

/** Whether it was us who stopped it is decided elsewhere. */
function end(state: State): Step {
  const { turn, contextTokens, contextWindow } = state;
  if (turn === null) return nothing(state);
  const { closing, spent, denials, result } = turn;
  const { costUsd, ...usage } = spent;
  const isError = closing?.state === 'error';
  const ended: Observation = {
    type: 'turn.ended',
    stopReason: isError ? 'error' : closing?.state === 'aborted' ? 'interrupted' : stopReasonOf(closing?.stopReason),
    isError,
    aborted: closing?.state === 'aborted',
    costUsd,
    usage,
    ...(contextTokens === null ? {} : { contextTokens }),
    ...(contextWindow === null ? {} : { contextWindow }),
    denials,
    ...(result === '' ? {} : { result }),
    ...(isError ? { errors: [closing.error ?? 'the model gave no answer'] } : {}),
  };
  const dropped = dropTexts(state);
  return andThen(dropped, (next) => tell({ ...next, turn: null, ended: remembered(next.ended, turn.runId) }, ended));
}

const STOP_REASONS: Readonly<Record<string, string | undefined>> = { stop: 'end_turn', length: 'max_tokens' };
const stopReasonOf = (reason: string | null | undefined): string => (reason ? (STOP_REASONS[reason] ?? reason) : 'end_turn');
