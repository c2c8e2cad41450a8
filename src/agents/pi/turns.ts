import type * as z from 'zod/mini';
import type { Observation } from '../../protocol/observation.ts';
import type { Reader } from '../formats/fold.ts';
import { contextUsage, emit, emitNothing, readerFor } from '../formats/fold.ts';
import { observeCompaction, whole } from '../formats/pi-format/compaction.ts';
import { NOTHING_SPENT } from '../formats/spent.ts';
import { dropped } from './messages.ts';
import { idOf } from './request-id.ts';
import { requestLine } from './request-lines.ts';
import type { State, Step } from './state.ts';
import { AgentEnd, AnyLine, CompactionEnd, RetryStart } from './wire.ts';

export const TURN_LINES: Readonly<Record<string, Reader<State>>> = {
  agent_start: readerFor(AnyLine, agentStarted),
  agent_end: readerFor(AgentEnd, agentEnded),
  agent_settled: readerFor(AnyLine, (state) => (state.turn === 'idle' ? emitNothing(state) : turnEnded({ ...state, isMending: false }))),
  auto_retry_start: readerFor(RetryStart, retryStarted),
  auto_retry_end: readerFor(AnyLine, retryEnded),
  compaction_start: readerFor(AnyLine, (state) => emitNothing({ ...state, isMending: true })),
  compaction_end: readerFor(CompactionEnd, compacted),
  // Rounds of the model within one turn of ours.
  turn_start: emitNothing,
  turn_end: emitNothing,
};

/** Also after a retry, and after a compaction that made room: then it is still the same turn. */
function agentStarted(state: State): Step {
  const running: State = { ...state, turn: 'running', isMending: false };
  if (state.turn !== 'idle') return emitNothing(running);
  return startTurn({ ...running, last: null }, state.inputs.length > 0 ? 'input' : 'agent');
}

export const startTurn = (state: State, cause: string): Step =>
  emit({ ...state, turn: 'running', spent: NOTHING_SPENT, denials: 0, last: null }, { type: 'turn.began', cause });

/**
 * 0.87.1 prints `agent_settled` when nothing follows. 0.73.1 doesn't, but it prints immediately whether a retry or a compaction follows,
 * so the answer to a request that we send now arrives after that.
 */
function agentEnded(state: State, { willRetry }: z.infer<typeof AgentEnd>): Step {
  const settling: State = { ...state, turn: 'settling' };
  return willRetry === undefined ? askWhetherSettled(settling) : emitNothing(settling);
}

export const askWhetherSettled = (state: State): Step => ({
  ...emitNothing(state),
  replies: [requestLine({ id: idOf({ for: 'settle' }), type: 'get_state' })],
});

function retryStarted(state: State, retry: z.infer<typeof RetryStart>): Step {
  return emit(
    { ...state, isMending: true },
    {
      type: 'retry.reported',
      attempt: retry.attempt,
      error: retry.errorMessage ?? 'the model gave no answer',
      ...(retry.maxAttempts === undefined ? {} : { maxAttempts: retry.maxAttempts }),
      ...(retry.delayMs === undefined ? {} : { delayMs: retry.delayMs }),
    },
  );
}

/** The retry is over: ask again whether the turn has settled. */
function retryEnded(state: State): Step {
  const after: State = { ...state, isMending: false };
  return state.turn === 'settling' ? askWhetherSettled(after) : emitNothing(after);
}

function compacted(state: State, { reason, result, aborted, errorMessage }: z.infer<typeof CompactionEnd>): Step {
  const failed = errorMessage ?? (aborted ? 'it was aborted' : undefined);
  const trigger = reason === 'manual' ? 'manual' : 'auto';
  if (failed !== undefined) return { ...retryEnded(state), observations: [{ type: 'context.compacted', trigger, failed }] };
  const tokensAfter = result?.estimatedTokensAfter;
  const observations = observeCompaction({ ...result, trigger, tokensAfter, where: {} });
  return { ...retryEnded({ ...state, contextTokens: whole(tokensAfter) ?? null }), observations };
}

/** The domain decides whether we stopped it: 0.87.1 reports an abort in a tool as an error. */
export function turnEnded(state: State): Step {
  const { last, spent } = state;
  const { costUsd, ...usage } = spent;
  const isError = last?.stopReason === 'error';
  const ended: Observation = {
    type: 'turn.ended',
    stopReason: STOP_REASONS[last?.stopReason ?? 'stop'] ?? last?.stopReason ?? 'end_turn',
    isError,
    aborted: last?.stopReason === 'aborted',
    costUsd,
    usage,
    ...contextUsage(state),
    denials: state.denials,
    ...(last === null || last.text === '' ? {} : { result: last.text }),
    ...(isError && last.error !== undefined ? { errors: [last.error] } : {}),
  };
  return emit({ ...state, turn: 'idle', errand: null, message: null, dialogs: [], tools: {}, last: null, spent: NOTHING_SPENT }, ...dropped(state), ended);
}

const STOP_REASONS: Readonly<Record<string, string | undefined>> = { stop: 'end_turn', length: 'max_tokens', toolUse: 'tool_use', aborted: 'interrupted' };
