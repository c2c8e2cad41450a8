import type { ModelSpent, Usage } from '../../../protocol/event.ts';
import { rounded } from './usage.ts';
import type { ModelUsage, Result } from './wire.ts';

/**
 * The turn's usage per model. `usage` of a result leaves out subagents and compactions (2.1.197: 20 of 40 tokens); `modelUsage` includes
 * them, as totals since the process started; newer versions also report the difference. A total that went down started again from zero.
 */
export function spentByModel(result: Result, before: readonly ModelSpent[]): ModelSpent[] | undefined {
  if (result.model_usage_since_last_result) return something(totalsOf(result.model_usage_since_last_result));
  if (!result.modelUsage) return undefined;
  return something(totalsOf(result.modelUsage).map((total) => since(total, before)));
}

export function totalsOf(sums: ModelUsage): ModelSpent[] {
  const totals = new Map<string, ModelSpent>();
  for (const [name, sum] of Object.entries(sums)) {
    const model = plainName(name);
    totals.set(model, joined(totals.get(model), totalOf(model, sum)));
  }
  return [...totals.values()];
}

const totalOf = (model: string, sum: ModelUsage[string]): ModelSpent => ({
  model,
  usage: {
    inputTokens: sum.inputTokens ?? 0,
    outputTokens: sum.outputTokens ?? 0,
    cacheReadTokens: sum.cacheReadInputTokens ?? 0,
    cacheWriteTokens: sum.cacheCreationInputTokens ?? 0,
  },
  ...(sum.costUSD !== undefined && { costUsd: rounded(sum.costUSD) }),
});

/** A suffix in brackets (`[1m]`) selects a window; the record of the same conversation names the model without it. */
export const plainName = (model: string): string => model.replace(/\[[^\]]*\]$/, '');

const joined = (known: ModelSpent | undefined, more: ModelSpent): ModelSpent => (known === undefined ? more : combined(known, more, 1));

function since(total: ModelSpent, before: readonly ModelSpent[]): ModelSpent {
  const earlier = before.find(({ model }) => model === total.model);
  return earlier === undefined || tokens(earlier.usage) > tokens(total.usage) ? total : combined(total, earlier, -1);
}

const combined = (one: ModelSpent, other: ModelSpent, sign: 1 | -1): ModelSpent => ({
  model: one.model,
  usage: {
    inputTokens: one.usage.inputTokens + sign * other.usage.inputTokens,
    outputTokens: one.usage.outputTokens + sign * other.usage.outputTokens,
    cacheReadTokens: one.usage.cacheReadTokens + sign * other.usage.cacheReadTokens,
    cacheWriteTokens: one.usage.cacheWriteTokens + sign * other.usage.cacheWriteTokens,
  },
  ...(one.costUsd !== undefined && { costUsd: rounded(one.costUsd + sign * (other.costUsd ?? 0)) }),
});

const something = (spent: readonly ModelSpent[]): ModelSpent[] => spent.filter(({ usage, costUsd }) => tokens(usage) > 0 || (costUsd ?? 0) > 0);

const tokens = (usage: Usage): number => usage.inputTokens + usage.outputTokens + usage.cacheReadTokens + usage.cacheWriteTokens;
