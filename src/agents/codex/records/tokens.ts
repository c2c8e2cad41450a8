import { amount, nullish, object, optional, text } from '../../formats/shape.ts';
import type { PastFacts } from '../../port/adapter.ts';
import type { PastLine } from '../../port/archive.ts';
import type { Line } from './line.ts';
import { NOTHING, type Reader } from './line-result.ts';

interface Counts {
  readonly input_tokens: number;
  readonly cached_input_tokens: number | undefined;
  readonly cache_write_input_tokens: number | undefined;
  readonly output_tokens: number;
  readonly total_tokens: number | undefined;
}
const isCounts = object<Counts>({
  input_tokens: amount,
  cached_input_tokens: optional(amount),
  cache_write_input_tokens: optional(amount),
  output_tokens: amount,
  total_tokens: optional(amount),
});

const isRecord = object<{ readonly response_id: string | undefined; readonly usage: Counts }>({ response_id: optional(text), usage: isCounts });

/** The cost of one answer. */
export const observeUsageRecord: Reader = (line, { facts }) => {
  if (!isRecord(line.payload)) return undefined;
  const { response_id, usage } = line.payload;
  return { observations: [], spent: { ...(response_id && { messageId: response_id }), ...madeBy(line, facts), usage: usageOf(usage), ...contextUsage(usage) } };
};

interface Counted {
  readonly info:
    | { readonly total_token_usage: Counts; readonly last_token_usage: Counts; readonly model_context_window: number | null | undefined }
    | null
    | undefined;
}
const isCounted = object<Counted>({
  info: nullish(object<NonNullable<Counted['info']>>({ total_token_usage: isCounts, last_token_usage: isCounts, model_context_window: nullish(amount) })),
});

/**
 * The size of the context and its window. Each answer has its own usage record, except in versions that don't number their lines: only there, this line
 * also carries the cost. It repeats, but always with the same total after the same answer.
 */
export const observeTokenCount: Reader = (line, { facts, agentSessionId }) => {
  if (!isCounted(line.payload)) return undefined;
  const { info } = line.payload;
  if (!info) return NOTHING;
  const { total_token_usage: total, last_token_usage: last, model_context_window: window } = info;
  const cost =
    line.ordinal === undefined
      ? { messageId: `${agentSessionId ?? ''}:${total.input_tokens}:${total.output_tokens}`, usage: usageOf(last) }
      : { usage: NO_USAGE };
  return { observations: [], spent: { ...cost, ...madeBy(line, facts), ...contextUsage(last), ...(window ? { contextWindow: Math.round(window) } : {}) } };
};

const NO_USAGE = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };

/** Codex counts cache reads as part of the input; other agents count them separately. */
function usageOf({ input_tokens, cached_input_tokens: read = 0, cache_write_input_tokens: written = 0, output_tokens }: Counts) {
  return { inputTokens: Math.max(0, input_tokens - read - written), outputTokens: output_tokens, cacheReadTokens: read, cacheWriteTokens: written };
}

const contextUsage = ({ total_tokens: tokens }: Counts): { readonly contextTokens?: number } => (tokens ? { contextTokens: Math.round(tokens) } : {});

const madeBy = ({ timestamp }: Line, facts: PastFacts | undefined): Pick<NonNullable<PastLine['spent']>, 'model' | 'at'> => ({
  ...(facts?.model && { model: facts.model }),
  ...(timestamp && { at: timestamp }),
});
