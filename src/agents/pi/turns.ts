import type * as z from 'zod/mini';
import type { Observation } from '../../protocol/observation.ts';
import { compactionTold, whole } from '../formats/pi-compaction.ts';
import type { LineKind } from './line.ts';
import { line, silent } from './line.ts';
import { dropped } from './messages.ts';
import { requestLine } from './print.ts';
import { idOf } from './request-id.ts';
import type { State, Step } from './state.ts';
import { NOTHING_SPENT, nothing, tell } from './state.ts';
import { AgentEnd, AnyLine, CompactionEnd, RetryStart } from './wire.ts';

export const TURN_LINES: Readonly<Record<string, LineKind>> = {
  agent_start: line(AnyLine, agentStarted),
  agent_end: line(AgentEnd, agentEnded),
  agent_settled: line(AnyLine, (state) => (state.turn === 'idle' ? nothing(state) : turnEnded({ ...state, isMending: false }))),
  auto_retry_start: line(RetryStart, retryStarted),
  auto_retry_end: line(AnyLine, mended),
  compaction_start: line(AnyLine, (state) => nothing({ ...state, isMending: true })),
  compaction_end: line(CompactionEnd, compacted),
  // Rounds of the model within one turn of ours.
  turn_start: silent,
  turn_end: silent,
};

/** Also after a retry, and after a compaction that made room: then it is still the same turn. */
function agentStarted(state: State): Step {
  const running: State = { ...state, turn: 'running', isMending: false };
  if (state.turn !== 'idle') return nothing(running);
  return began({ ...running, last: null }, state.inputs.length > 0 ? 'input' : 'agent');
}

export const began = (state: State, cause: string): Step =>
  tell({ ...state, turn: 'running', spent: NOTHING_SPENT, denials: 0, last: null }, { type: 'turn.began', cause });

/**
 * 0.87.1 says `agent_settled` when nothing follows. 0.73.1 does not: whether a retry or a compaction follows is printed at once,
 * so the answer to a question sent now comes after it.
 */
function agentEnded(state: State, { willRetry }: z.infer<typeof AgentEnd>): Step {
  const settling: State = { ...state, turn: 'settling' };
  return willRetry === undefined ? askWhetherSettled(settling) : nothing(settling);
}

export const askWhetherSettled = (state: State): Step => ({ ...nothing(state), replies: [requestLine({ id: idOf({ for: 'settle' }), type: 'get_state' })] });

function retryStarted(state: State, retry: z.infer<typeof RetryStart>): Step {
  return tell(
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

/** Given up, or done: what is still settling is asked once more. */
function mended(state: State): Step {
  const after: State = { ...state, isMending: false };
  return state.turn === 'settling' ? askWhetherSettled(after) : nothing(after);
}

function compacted(state: State, { reason, result, aborted, errorMessage }: z.infer<typeof CompactionEnd>): Step {
  const failed = errorMessage ?? (aborted ? 'it was aborted' : undefined);
  const trigger = reason === 'manual' ? 'manual' : 'auto';
  if (failed !== undefined) return { ...mended(state), observations: [{ type: 'context.compacted', trigger, failed }] };
  const tokensAfter = result?.estimatedTokensAfter;
  const observations = compactionTold({ ...result, trigger, tokensAfter, where: {} });
  return { ...mended({ ...state, contextTokens: whole(tokensAfter) ?? null }), observations };
}

/** Whether it was us who stopped it is decided elsewhere: 0.87.1 calls an abort in a tool an error. */
export function turnEnded(state: State): Step {
  const { last, spent, contextTokens, contextWindow } = state;
  const { costUsd, ...usage } = spent;
  const isError = last?.stopReason === 'error';
  const ended: Observation = {
    type: 'turn.ended',
    stopReason: STOP_REASONS[last?.stopReason ?? 'stop'] ?? last?.stopReason ?? 'end_turn',
    isError,
    aborted: last?.stopReason === 'aborted',
    costUsd,
    usage,
    ...(contextTokens === null ? {} : { contextTokens: Math.round(contextTokens) }),
    ...(contextWindow === null ? {} : { contextWindow: Math.round(contextWindow) }),
    denials: state.denials,
    ...(last === null || last.text === '' ? {} : { result: last.text }),
    ...(isError && last.error !== undefined ? { errors: [last.error] } : {}),
  };
  return tell({ ...state, turn: 'idle', errand: null, message: null, dialogs: [], tools: {}, last: null, spent: NOTHING_SPENT }, ...dropped(state), ended);
}

const STOP_REASONS: Readonly<Record<string, string | undefined>> = { stop: 'end_turn', length: 'max_tokens', toolUse: 'tool_use', aborted: 'interrupted' };
