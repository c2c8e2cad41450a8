import type { Observation } from '../../../protocol/observation.ts';
import { emit } from '../../formats/fold.ts';
import { droppedOf } from '../../formats/open-blocks.ts';
import type { LineKind } from './line.ts';
import { line } from './line.ts';
import { spentByModel, totalsOf } from './model-usage.ts';
import type { State, Step } from './state.ts';
import { turnCost, usageOf, windowOf } from './usage.ts';
import { Result, stamp } from './wire.ts';

export const RESULT_LINES: Readonly<Record<string, LineKind>> = {
  'result/*': line(Result, '`turn.ended`; `is_error` decides, not the subtype; an error outside a turn (an unknown `--resume`) is `notice.shown`', turnEnded),
};

function turnEnded(state: State, result: Result): Step {
  const dropped = droppedOf(state.main?.open ?? []);
  const next: State = {
    ...state,
    isTurnRunning: false,
    isInterrupting: false,
    nextCause: null,
    main: null,
    totalCostUsd: result.total_cost_usd ?? state.totalCostUsd,
    totals: result.modelUsage ? totalsOf(result.modelUsage) : state.totals,
  };
  if (state.isTurnRunning) return emit(next, ...dropped, ended(state, result));
  if (result.is_error) return emit(next, ...dropped, failedOutside(result));
  return emit(next, ...dropped, { type: 'turn.began', cause: result.origin?.kind ?? 'input' }, ended(state, result));
}

function ended(state: State, result: Result): Observation {
  return {
    type: 'turn.ended',
    stopReason: stopReasonOf(result),
    isError: result.is_error,
    aborted: isAborted(result),
    durationMs: result.duration_ms,
    costUsd: turnCost(result, state.totalCostUsd),
    usage: result.usage && usageOf(result.usage),
    models: spentByModel(result, state.totals),
    contextTokens: state.contextTokens ?? undefined,
    contextWindow: windowOf(result.modelUsage, state.session?.model),
    denials: result.permission_denials?.length ?? 0,
    result: result.result,
    errors: errorsOf(result),
    ...(result.uuid === undefined ? {} : { uuid: result.uuid }),
  };
}

/** An interrupted turn ends with an internal diagnostic of the CLI that is no use to a person. */
function errorsOf(result: Result): string[] | undefined {
  const errors = result.errors?.filter((error) => !error.startsWith('[ede_diagnostic]')) ?? (result.is_error && result.result ? [result.result] : []);
  return errors.length > 0 ? errors : undefined;
}

const isAborted = (result: Result): boolean => result.terminal_reason?.startsWith('aborted') ?? false;

function stopReasonOf(result: Result): string {
  if (isAborted(result)) return 'interrupted';
  if (result.subtype === 'error_during_execution') return 'error';
  if (result.subtype.startsWith('error_')) return result.subtype.slice('error_'.length);
  if (result.is_error && result.stop_reason !== 'refusal') return 'error';
  return result.stop_reason ?? 'end_turn';
}

const failedOutside = (result: Result): Observation => ({
  type: 'notice.shown',
  level: 'error',
  text: result.errors?.join('\n') || result.result || 'The agent failed before a turn started',
  ...stamp(result),
});
