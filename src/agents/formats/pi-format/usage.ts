import type { PastLine } from '../../port/archive.ts';
import { isCount } from '../fold.ts';
import type { PiUsage } from './message.ts';

type Spent = NonNullable<PastLine['spent']>;

/** Tokens and cost of an answer; undefined when there were none (it failed). */
export function spentOf(usage: PiUsage | null | undefined, of: Pick<Spent, 'messageId' | 'model' | 'at'>): Spent | undefined {
  if (!usage) return undefined;
  const tokens = {
    inputTokens: usage.input ?? 0,
    outputTokens: usage.output ?? 0,
    cacheReadTokens: usage.cacheRead ?? 0,
    cacheWriteTokens: usage.cacheWrite ?? 0,
  };
  if (Object.values(tokens).every((count) => count === 0)) return undefined;
  const costUsd = usage.cost?.total;
  return { ...of, usage: tokens, ...(typeof costUsd === 'number' ? { costUsd } : {}) };
}

/** Size of the context after the answer. */
export const contextAfter = (usage: PiUsage | null | undefined): { readonly contextTokens?: number } =>
  usage?.totalTokens && isCount(usage.totalTokens) ? { contextTokens: Math.round(usage.totalTokens) } : {};
