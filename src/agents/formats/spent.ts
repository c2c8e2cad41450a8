/** Tokens and cost of a turn so far. */
export interface Spent {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  readonly costUsd: number;
}

export const NOTHING_SPENT: Spent = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, costUsd: 0 };

export const plus = (sum: Spent, more: Partial<Spent>): Spent => ({
  inputTokens: sum.inputTokens + (more.inputTokens ?? 0),
  outputTokens: sum.outputTokens + (more.outputTokens ?? 0),
  cacheReadTokens: sum.cacheReadTokens + (more.cacheReadTokens ?? 0),
  cacheWriteTokens: sum.cacheWriteTokens + (more.cacheWriteTokens ?? 0),
  costUsd: sum.costUsd + (more.costUsd ?? 0),
});
