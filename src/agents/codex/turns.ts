import type * as z from 'zod/mini';
import type { Observation } from '../../protocol/observation.ts';
import { contextUsage, emit, emitNothing } from '../formats/fold.ts';
import { jsonObject } from '../formats/json-object.ts';
import { isObject, text } from '../formats/shape.ts';
import { interruptLine } from './interrupt.ts';
import type { Counts, State, Step } from './state.ts';
import { cutOff } from './stream.ts';
import type { Failure, Tokens, TokenUsage, TurnCompleted, TurnStarted } from './wire.ts';

export function turnStarted(state: State, { turn }: z.infer<typeof TurnStarted>): Step {
  if (state.turnId !== null) return emitNothing({ ...state, turnId: turn.id });
  const { compaction, stopsNext, total } = state;
  const started: State = {
    ...state,
    turnId: turn.id,
    compaction: null,
    isCompacting: compaction !== null,
    stopsNext: false,
    before: total,
    denials: 0,
    result: '',
  };
  const observed: readonly Observation[] = compaction === null ? [] : [{ type: 'input.taken', inputId: compaction }];
  const step = emit(started, { type: 'turn.began', cause: 'input' }, ...observed);
  return stopsNext ? { ...step, replies: [interruptLine(started, 'next', turn.id)] } : step;
}

/** An item that was cut off is never completed (0.166.0): its shown text ends here. */
export function turnCompleted(state: State, { turn }: TurnCompleted): Step {
  if (state.turnId === null) return emitNothing(state);
  const { denials, result } = state;
  // A status that is not known yet is a failure if it comes with an error.
  const isError = turn.status === 'failed' || (STOP_REASONS[turn.status] === undefined && Boolean(turn.error));
  const ended: Observation = {
    type: 'turn.ended',
    stopReason: STOP_REASONS[turn.status] ?? turn.status,
    isError,
    aborted: turn.status === 'interrupted',
    usage: spent(state),
    ...contextUsage(state),
    denials,
    ...(result === '' ? {} : { result }),
    ...(isError && turn.error ? { errors: [readableError(turn.error.message)] } : {}),
  };
  const cut = cutOff(state);
  const idle: State = { ...cut.state, turnId: null, stopsNext: false, isCompacting: false, cut: [], changes: {}, result: '', before: state.total };
  return emit(idle, ...cut.observations, ended);
}

const STOP_REASONS: Readonly<Record<string, string | undefined>> = { completed: 'end_turn', interrupted: 'interrupted', failed: 'error' };

const spent = ({ total, before }: State) => ({
  inputTokens: Math.max(0, total.input - before.input),
  outputTokens: Math.max(0, total.output - before.output),
  cacheReadTokens: Math.max(0, total.cacheRead - before.cacheRead),
  cacheWriteTokens: Math.max(0, total.cacheWrite - before.cacheWrite),
});

/** Sent after every answer of the model and at other times; for a resumed thread, before its first turn too. */
export function tokensCounted(state: State, { tokenUsage: { total, last, modelContextWindow } }: z.infer<typeof TokenUsage>): Step {
  const counts = countsOf(total);
  const next: State = {
    ...state,
    total: counts,
    contextTokens: last.totalTokens > 0 ? Math.round(last.totalTokens) : state.contextTokens,
    contextWindow: modelContextWindow ? Math.round(modelContextWindow) : state.contextWindow,
  };
  if (state.turnId === null) return emitNothing({ ...next, before: counts });
  if (JSON.stringify(counts) === JSON.stringify(state.total)) return emitNothing(next);
  return emit(next, {
    type: 'usage.reported',
    usage: spent({ ...next, before: state.total }),
    ...contextUsage(next),
  });
}

/** Codex counts cache reads as part of the input; other agents count them separately. */
const countsOf = ({ inputTokens, cachedInputTokens: cacheRead, cacheWriteInputTokens: cacheWrite = 0, outputTokens: output }: Tokens): Counts => ({
  input: Math.max(0, inputTokens - cacheRead - cacheWrite),
  output,
  cacheRead,
  cacheWrite,
});

/** Errors that Codex doesn't retry are reported with the end of the turn. */
export function failed(state: State, { error, willRetry }: z.infer<typeof Failure>): Step {
  if (willRetry !== true) return emitNothing(state);
  const [, attempt, maxAttempts] = /(\d+)\/(\d+)/.exec(error.message) ?? [];
  return emit(state, {
    type: 'retry.reported',
    attempt: Number(attempt ?? 1),
    ...(maxAttempts === undefined ? {} : { maxAttempts: Number(maxAttempts) }),
    error: readableError(error.additionalDetails ?? error.message),
  });
}

/** Codex passes some service errors on as raw JSON. */
function readableError(message: string): string {
  const error = message.startsWith('{') ? jsonObject(message)?.error : undefined;
  return isObject(error) && text(error.message) ? error.message : message;
}
