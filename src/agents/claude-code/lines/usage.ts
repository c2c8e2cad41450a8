import type { Usage } from '../../../protocol/event.ts';
import type { ApiUsage, ModelUsage, Result } from './wire.ts';

export const usageOf = (usage: ApiUsage): Usage => ({
  inputTokens: usage.input_tokens ?? 0,
  outputTokens: usage.output_tokens ?? 0,
  cacheReadTokens: usage.cache_read_input_tokens ?? 0,
  cacheWriteTokens: usage.cache_creation_input_tokens ?? 0,
});

/** How much of the context window a message fills, its answer included. */
export function tokensOf(usage: ApiUsage): number {
  const tokens = Math.max(0, Math.round(filledBy(usageOf(usage))));
  return Number.isSafeInteger(tokens) ? tokens : 0;
}

export const filledBy = ({ inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens }: Usage): number =>
  inputTokens + outputTokens + cacheReadTokens + cacheWriteTokens;

/**
 * The cost of one turn. `total_cost_usd` is cumulative for the process (2.1.197); newer versions also report the difference,
 * which is used because their total may continue from an earlier process.
 */
export function turnCost(result: Result, totalBefore: number): number | undefined {
  if (result.model_usage_since_last_result) return rounded(sumOfCosts(result.model_usage_since_last_result));
  if (result.total_cost_usd === undefined) return undefined;
  return rounded(result.total_cost_usd >= totalBefore ? result.total_cost_usd - totalBefore : result.total_cost_usd);
}

/** To a billionth of a dollar: otherwise a difference ends in floating-point noise. */
export const rounded = (usd: number): number => Math.round(usd * 1e9) / 1e9;

const sumOfCosts = (usage: ModelUsage): number => Object.values(usage).reduce((sum, model) => sum + (model.costUSD ?? 0), 0);

/** The context window of the session's model, or the first one listed. */
export function windowOf(usage: ModelUsage | undefined, model: string | undefined): number | undefined {
  if (!usage) return undefined;
  const own = model === undefined ? undefined : usage[model];
  return own?.contextWindow ?? Object.values(usage)[0]?.contextWindow;
}
