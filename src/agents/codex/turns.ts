import type * as z from 'zod/mini';
import type { Observation } from '../../protocol/observation.ts';
import { jsonObject } from '../formats/json-object.ts';
import { isObject, text } from '../formats/shape.ts';
import { interruptLine } from './interrupt.ts';
import type { Counts, State, Step } from './state.ts';
import { nothing, tell } from './state.ts';
import { cutOff } from './stream.ts';
import type { Failure, Tokens, TokenUsage, TurnCompleted, TurnStarted } from './wire.ts';

export function turnStarted(state: State, { turn }: z.infer<typeof TurnStarted>): Step {
  if (state.turnId !== null) return nothing({ ...state, turnId: turn.id });
  const { compaction, stopsNext, total } = state;
  const begun: State = {
    ...state,
    turnId: turn.id,
    compaction: null,
    isCompacting: compaction !== null,
    stopsNext: false,
    before: total,
    denials: 0,
    result: '',
  };
  const told: readonly Observation[] = compaction === null ? [] : [{ type: 'input.taken', inputId: compaction }];
  const step = tell(begun, { type: 'turn.began', cause: 'input' }, ...told);
  return stopsNext ? { ...step, replies: [interruptLine(begun, 'next', turn.id)] } : step;
}

/** An item that was cut off is never completed (0.166.0): what was shown of it ends here. */
export function turnCompleted(state: State, { turn }: TurnCompleted): Step {
  if (state.turnId === null) return nothing(state);
  const { contextTokens, contextWindow, denials, result } = state;
  const isError = turn.status === 'failed';
  const ended: Observation = {
    type: 'turn.ended',
    stopReason: STOP_REASONS[turn.status] ?? turn.status,
    isError,
    aborted: turn.status === 'interrupted',
    usage: spent(state),
    ...(contextTokens === null ? {} : { contextTokens }),
    ...(contextWindow === null ? {} : { contextWindow }),
    denials,
    ...(result === '' ? {} : { result }),
    ...(isError && turn.error ? { errors: [inWords(turn.error.message)] } : {}),
  };
  const cut = cutOff(state);
  const idle: State = { ...cut.state, turnId: null, stopsNext: false, isCompacting: false, cut: [], changes: {}, result: '', before: state.total };
  return tell(idle, ...cut.observations, ended);
}

const STOP_REASONS: Readonly<Record<string, string | undefined>> = { completed: 'end_turn', interrupted: 'interrupted', failed: 'error' };

const spent = ({ total, before }: State) => ({
  inputTokens: Math.max(0, total.input - before.input),
  outputTokens: Math.max(0, total.output - before.output),
  cacheReadTokens: Math.max(0, total.cacheRead - before.cacheRead),
  cacheWriteTokens: Math.max(0, total.cacheWrite - before.cacheWrite),
});

/** Told after every answer of the model, and again at will; of a thread that is gone on with, before its first turn too. */
export function tokensCounted(state: State, { tokenUsage: { total, last, modelContextWindow } }: z.infer<typeof TokenUsage>): Step {
  const counts = countsOf(total);
  const next: State = {
    ...state,
    total: counts,
    contextTokens: last.totalTokens > 0 ? Math.round(last.totalTokens) : state.contextTokens,
    contextWindow: modelContextWindow ? Math.round(modelContextWindow) : state.contextWindow,
  };
  if (state.turnId === null) return nothing({ ...next, before: counts });
  if (JSON.stringify(counts) === JSON.stringify(state.total)) return nothing(next);
  const { contextTokens, contextWindow } = next;
  return tell(next, {
    type: 'usage.reported',
    usage: spent({ ...next, before: state.total }),
    ...(contextTokens === null ? {} : { contextTokens }),
    ...(contextWindow === null ? {} : { contextWindow }),
  });
}

/** What was read from the cache is part of the input here, and beside it elsewhere. */
const countsOf = ({ inputTokens, cachedInputTokens: cacheRead, cacheWriteInputTokens: cacheWrite = 0, outputTokens: output }: Tokens): Counts => ({
  input: Math.max(0, inputTokens - cacheRead - cacheWrite),
  output,
  cacheRead,
  cacheWrite,
});

/** What Codex does not try again is told with the end of the turn. */
export function failed(state: State, { error, willRetry }: z.infer<typeof Failure>): Step {
  if (willRetry !== true) return nothing(state);
  const [, attempt, maxAttempts] = /(\d+)\/(\d+)/.exec(error.message) ?? [];
  return tell(state, {
    type: 'retry.reported',
    attempt: Number(attempt ?? 1),
    ...(maxAttempts === undefined ? {} : { maxAttempts: Number(maxAttempts) }),
    error: inWords(error.additionalDetails ?? error.message),
  });
}

/** Codex passes some answers of the service on as they came. */
function inWords(message: string): string {
  const said = message.startsWith('{') ? jsonObject(message)?.error : undefined;
  return isObject(said) && text(said.message) ? said.message : message;
}
