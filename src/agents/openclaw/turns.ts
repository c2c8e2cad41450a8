import type { Observation } from '../../protocol/observation.ts';
import { andThen, contextUsage, emit, emitNothing } from '../formats/fold.ts';
import { NOTHING_SPENT } from '../formats/spent.ts';
import { isOurs, requestLine } from './request-id.ts';
import type { Closing, State, Step, Turn } from './state.ts';
import { remembered } from './state.ts';
import { dropTexts } from './streamed-text.ts';
import type { ChatEvent } from './wire.ts';

/** Continues or starts the turn of this run; undefined when the run is over, or another one is active. */
export function inTurn(state: State, runId: string): Step | undefined {
  if (state.turn !== null) return state.turn.runId === runId ? emitNothing(state) : undefined;
  return state.ended.includes(runId) ? undefined : startTurn(state, runId);
}

/** Our runs are named after their input, so the start of a run means that the input was taken. */
export function startTurn(state: State, runId: string): Step {
  const isInput = isOurs(runId);
  const started: Step = emit({ ...state, turn: fresh(runId), stopsNext: false }, { type: 'turn.began', cause: isInput ? 'input' : 'agent' });
  const stop = state.stopsNext && state.key !== null ? [requestLine({ for: 'stop' }, 'chat.abort', { sessionKey: state.key, runId })] : [];
  return { ...andThen(started, (next) => (isInput ? takeInput(next, runId) : emitNothing(next))), replies: stop };
}

/** Reported once: with its run or, for a steering message, when the model gets it. */
export function takeInput(state: State, inputId: string): Step {
  if (state.taken.includes(inputId)) return emitNothing(state);
  const accepted = state.accepted.filter((other) => other !== inputId);
  return emit({ ...state, accepted, taken: remembered(state.taken, inputId) }, { type: 'input.taken', inputId });
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
  preambles: [],
  spent: NOTHING_SPENT,
  denials: 0,
  attempts: 0,
  error: null,
  result: '',
});

const OVER = new Set(['final', 'error', 'aborted']);

/** A run reports its end before everything arrived: its last message, and results of calls that were cut off, may follow (2026.9.6). */
export function observeChat(state: State, chat: ChatEvent): Step {
  if (!OVER.has(chat.state) || state.ended.includes(chat.runId)) return emitNothing(state);
  if (state.turn !== null && state.turn.runId !== chat.runId) return steeringRunEnded(state, chat);
  if (state.turn === null && !isOurs(chat.runId)) return emitNothing(state);
  const step = state.turn === null ? startTurn(state, chat.runId) : emitNothing(state);
  return andThen(step, (next) => close(next, closingOf(chat)));
}

/** A steering message is a separate run that ends immediately. If it fails before it was taken, it is dropped. */
function steeringRunEnded(state: State, { runId, state: how, errorMessage }: ChatEvent): Step {
  if (how === 'final' || !isOurs(runId) || state.taken.includes(runId)) return emitNothing(state);
  const reason = errorMessage ?? 'the agent was stopped before it had taken it';
  return emit({ ...state, accepted: state.accepted.filter((other) => other !== runId) }, { type: 'input.dropped', inputId: runId, reason });
}

const closingOf = ({ state, stopReason, errorMessage, errorDetail, hasMessage }: ChatEvent): Closing => ({
  state,
  stopReason: stopReason ?? null,
  error: [errorMessage, errorDetail?.providerErrorMessagePreview].filter((words) => words).join(': ') || null,
  expectsAnswer: hasMessage === true && state !== 'error',
});

/** The same end may be reported twice. */
function close(state: State, closing: Closing): Step {
  const { turn, key } = state;
  if (turn === null || turn.closing !== null) return emitNothing(state);
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

/** Ends a turn once its last part has arrived. */
export const endIfComplete = (state: State): Step => (isComplete(state.turn) && state.fetching.length === 0 ? end(state) : emitNothing(state));

/** All stored messages of the run were reported. If it hasn't settled, wait for that, with a limit. */
export function caughtUp(state: State, runId: string): Step {
  const { turn } = state;
  if (turn === null || turn.runId !== runId || turn.closing === null || state.fetching.length > 0) return emitNothing(state);
  if (!turn.isWorking || turn.isSettled) return end(state);
  return { state, observations: [], replies: [requestLine({ for: 'settle', runId }, 'agent.wait', { runId, timeoutMs: SETTLE_MS })] };
}

/** Aborted calls returned their result within 0.1 s. */
const SETTLE_MS = 3000;

/** If something is still being fetched, the turn ends when it arrives. */
export const waitEnded = (state: State, runId: string): Step =>
  state.turn?.runId === runId && state.turn.closing !== null && state.fetching.length === 0 ? end(state) : emitNothing(state);

/** The domain decides whether we stopped the run. */
function end(state: State): Step {
  const { turn } = state;
  if (turn === null) return emitNothing(state);
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
    ...contextUsage(state),
    denials,
    ...(result === '' ? {} : { result }),
    ...(isError ? { errors: [closing.error ?? 'the model gave no answer'] } : {}),
  };
  const dropped = dropTexts(state, closing?.state === 'aborted');
  return andThen(dropped, (next) => emit({ ...next, turn: null, ended: remembered(next.ended, turn.runId) }, ended));
}

const STOP_REASONS: Readonly<Record<string, string | undefined>> = { stop: 'end_turn', length: 'max_tokens' };
const stopReasonOf = (reason: string | null | undefined): string => (reason ? (STOP_REASONS[reason] ?? reason) : 'end_turn');
