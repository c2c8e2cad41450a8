import type { Observation } from '../../protocol/observation.ts';
import { contentOf } from '../formats/pi-content.ts';
import type { PiAssistantMessage, PiUsage } from '../formats/pi-message.ts';
import type { State } from './state.ts';

/** The state is stored with every event; a longer answer is in the transcript. */
const RESULT_CHARS = 8000;

/** What an answer of the model cost, and how it ended. */
export function answered(state: State, message: PiAssistantMessage): State {
  const { text } = contentOf(message.content.filter(({ type }) => type === 'text'));
  return {
    ...state,
    spent: plus(state.spent, message.usage),
    contextTokens: message.usage?.totalTokens || state.contextTokens,
    last: {
      stopReason: message.stopReason ?? 'stop',
      text: text.slice(0, RESULT_CHARS),
      ...(message.errorMessage ? { error: message.errorMessage } : {}),
    },
  };
}

const plus = (spent: State['spent'], usage: PiUsage | null | undefined): State['spent'] => ({
  inputTokens: spent.inputTokens + (usage?.input ?? 0),
  outputTokens: spent.outputTokens + (usage?.output ?? 0),
  cacheReadTokens: spent.cacheReadTokens + (usage?.cacheRead ?? 0),
  cacheWriteTokens: spent.cacheWriteTokens + (usage?.cacheWrite ?? 0),
  costUsd: spent.costUsd + (usage?.cost?.total ?? 0),
});

/** The path of a call is needed again with its result, which does not name it. */
export function toolNoted(state: State, observation: Observation): State {
  if (observation.type !== 'tool.started') return state;
  const { path } = observation.input;
  return { ...state, tools: { ...state.tools, [observation.toolUseId]: typeof path === 'string' ? { path } : {} } };
}
