import type { Usage } from '../../protocol/event.ts';

/** Dollars for a million tokens. */
export interface TokenPrice {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
}

/** What an agent's model costs, if known. */
export type PriceOf = (agent: string, model: string) => TokenPrice | undefined;

export const costOf = (usage: Usage, price: TokenPrice): number =>
  (usage.inputTokens * price.input + usage.outputTokens * price.output + usage.cacheReadTokens * price.cacheRead + usage.cacheWriteTokens * price.cacheWrite) /
  1_000_000;
