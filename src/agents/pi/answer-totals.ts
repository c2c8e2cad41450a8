import type { Observation } from '../../protocol/observation.ts';
import { contentOf } from '../formats/pi-format/content.ts';
import type { PiAssistantMessage, PiUsage } from '../formats/pi-format/message.ts';
import type { Spent } from '../formats/spent.ts';
import { plus } from '../formats/spent.ts';
import type { State } from './state.ts';

/** The state is stored with every event; the transcript has the full answer. */
const RESULT_CHARS = 8000;

/** What an answer of the model cost, and how it ended. */
export function answered(state: State, message: PiAssistantMessage): State {
  const { text } = contentOf(message.content.filter(({ type }) => type === 'text'));
  return {
    ...state,
    spent: plus(state.spent, costOf(message.usage)),
    contextTokens: message.usage?.totalTokens || state.contextTokens,
    last: {
      stopReason: message.stopReason ?? 'stop',
      text: text.slice(0, RESULT_CHARS),
      ...(message.errorMessage ? { error: message.errorMessage } : {}),
    },
  };
}

const costOf = (usage: PiUsage | null | undefined): Partial<Spent> => ({
  inputTokens: usage?.input ?? 0,
  outputTokens: usage?.output ?? 0,
  cacheReadTokens: usage?.cacheRead ?? 0,
  cacheWriteTokens: usage?.cacheWrite ?? 0,
  costUsd: usage?.cost?.total ?? 0,
});

/** Keeps the path of a call for its result, which doesn't name it. */
export function toolNoted(state: State, observation: Observation): State {
  if (observation.type !== 'tool.started') return state;
  const { path } = observation.input;
  return { ...state, tools: { ...state.tools, [observation.toolUseId]: typeof path === 'string' ? { path } : {} } };
}
