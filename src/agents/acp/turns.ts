import * as z from 'zod/mini';
import type { Observation } from '../../protocol/observation.ts';
import { andThen, contextUsage, emit } from '../formats/fold.ts';
import type { RpcError } from '../formats/json-rpc.ts';
import { errorInText, errorMessage } from './error-message.ts';
import { isUsageTotal } from './known-agents.ts';
import type { State, Step } from './state.ts';
import { textEnded } from './text-blocks.ts';
import { doneWith, startPending } from './tools.ts';
import type { PromptResult } from './wire.ts';
import { PromptResult as PromptAnswer } from './wire.ts';

/** The agent has read the probe before a message: the message is next. */
export function turnStarted(state: State, inputId: string): Step {
  const turn = { inputId, hasSpoken: false, costBefore: state.costUsd ?? (state.isNew ? 0 : null) };
  const step: Step = emit({ ...state, turn, lastInput: inputId }, { type: 'turn.began', cause: 'input' }, { type: 'input.taken', inputId });
  if (state.session.phase !== 'refused') return step;
  const { why } = state.session;
  return andThen(step, (now) => over(now, failure(why)));
}

/** The answer to a message is the end of its turn. */
export function answered(state: State, result: unknown, input: { readonly inputId: string; readonly isSlash: boolean }): Step {
  const parsed = z.safeParse(PromptAnswer, result);
  const ended = (now: State): Step => {
    const spent = parsed.success && parsed.data.usage ? usageOf(parsed.data.usage) : now.spent;
    return over({ ...now, spent }, parsed.success ? endingOf(now, parsed.data, input.isSlash) : failure('The agent ended its turn in an unknown way.'));
  };
  return inTurn(state, input.inputId, ended);
}

export function failed(state: State, error: RpcError, inputId: string): Step {
  return inTurn(state, inputId, (now) => over(now, failure(errorMessage(error))));
}

/** An agent that didn't answer the probe still gets a turn. */
function inTurn(state: State, inputId: string, end: (state: State) => Step): Step {
  return state.turn === null ? andThen(turnStarted(state, inputId), end) : end(state);
}

type Ending = Pick<Extract<Observation, { type: 'turn.ended' }>, 'stopReason' | 'isError' | 'aborted' | 'errors' | 'usage'>;

const failure = (why: string): Ending => ({ stopReason: 'error', isError: true, aborted: false, errors: [why] });

/** Several agents end a turn normally, without any text, when they can't reach the model (pi-acp 0.0.34, OpenClaw 2026.9.6). */
const SILENT = 'The agent ended its turn without saying or doing anything. This is usually an error that the agent does not report. Check its own log.';

function endingOf(state: State, { stopReason, usage }: PromptResult, isSlash: boolean): Ending {
  const spent = usage ? { usage: usageIn(state, usage) } : {};
  if (stopReason === 'end_turn') {
    if (state.turn?.hasSpoken === false && !isSlash) return failure(SILENT);
    const error = errorInText(state.text?.kind === 'text' ? state.text.text : '', state.turn?.hasFailed === true);
    if (error !== undefined) return { ...failure(error), ...spent };
  }
  return { stopReason: stopReason === 'cancelled' ? 'interrupted' : stopReason, isError: false, aborted: stopReason === 'cancelled', ...spent };
}

/** The usage of this turn, from agents that report it per turn and from one that reports the total. */
function usageIn(state: State, reported: NonNullable<PromptResult['usage']>): ReturnType<typeof usageOf> {
  const now = usageOf(reported);
  const { spent: before } = state;
  if (!isUsageTotal(state) || before === null) return now;
  const since = (name: keyof typeof now): number => Math.max(0, now[name] - before[name]);
  return {
    inputTokens: since('inputTokens'),
    outputTokens: since('outputTokens'),
    cacheReadTokens: since('cacheReadTokens'),
    cacheWriteTokens: since('cacheWriteTokens'),
  };
}

const usageOf = (usage: NonNullable<PromptResult['usage']>) => ({
  inputTokens: whole(usage.inputTokens),
  outputTokens: whole(usage.outputTokens),
  cacheReadTokens: whole(usage.cachedReadTokens),
  cacheWriteTokens: whole(usage.cachedWriteTokens),
});

const whole = (tokens: number | null | undefined): number => Math.max(0, Math.round(tokens ?? 0));

function over(state: State, ending: Ending): Step {
  return andThen(
    andThen(startPending(state), (now) => textEnded(now, ending.aborted)),
    (now) => {
      const { turn, costUsd } = now;
      const cost = turn?.costBefore == null || costUsd === null ? undefined : Math.max(0, costUsd - turn.costBefore);
      return emit(
        { ...now, turn: null, tools: {}, doneTools: doneWith(now, Object.keys(now.tools)), asks: {} },
        {
          type: 'turn.ended',
          ...ending,
          denials: 0,
          ...(cost === undefined ? {} : { costUsd: cost }),
          ...contextUsage(now),
        },
      );
    },
  );
}
