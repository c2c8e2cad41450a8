import { tokensOf } from '../../domain/usage/entry.ts';
import { costOf, type PriceOf } from '../../domain/usage/price.ts';
import { intOf, type Row, textOf } from '../../journal/sqlite-driver.ts';
import type { UsageBy, UsageList, UsageRow } from '../../protocol/api/usage.ts';
import type { Usage } from '../../protocol/event.ts';

/** Shown for usage without a model. */
const UNNAMED = 'unknown';

type Figures = Omit<UsageList['total'], 'sessions'>;
export interface Group extends Figures {
  readonly key: string;
  readonly title: string;
  readonly model: string;
}

/** The cost that agents reported, or else the price of the tokens. */
export function groupOf(row: Row, priceOf: PriceOf): Group {
  const model = textOf(row, 'model');
  const usage: Usage = {
    inputTokens: intOf(row, 'input'),
    outputTokens: intOf(row, 'output'),
    cacheReadTokens: intOf(row, 'cache_read'),
    cacheWriteTokens: intOf(row, 'cache_write'),
  };
  const reported = intOf(row, 'is_costed') === 1 ? intOf(row, 'cost_nano') / 1e9 : undefined;
  const price = priceOf(textOf(row, 'agent'), model);
  const costUsd = reported ?? (price === undefined ? undefined : costOf(usage, price));
  return {
    key: textOf(row, 'key'),
    title: textOf(row, 'title'),
    model,
    ...usage,
    costUsd: costUsd ?? 0,
    unpricedTokens: costUsd === undefined ? tokensOf(usage) : 0,
    turns: intOf(row, 'turns'),
    durationMs: intOf(row, 'duration_ms'),
  };
}

export function rowsOf(by: UsageBy, groups: readonly Group[], sessions: ReadonlyMap<string, number>): UsageRow[] {
  const rows = [...grouped(groups, 'key')].map(([key, of]) => rowOf(by, key, of, sessions.get(key) ?? 0));
  return rows.sort(by === 'day' ? byKey : byCost);
}

function rowOf(by: UsageBy, key: string, groups: readonly Group[], sessions: number): UsageRow {
  const [title = ''] = groups
    .map((group) => group.title)
    .sort()
    .reverse();
  return { key, title: title || UNNAMED, ...sumOf(groups, sessions), ...(by === 'day' && { models: modelsOf(groups) }) };
}

function modelsOf(groups: readonly Group[]): NonNullable<UsageRow['models']> {
  return [...grouped(groups, 'model')]
    .map(([model, of]) => ({ model: model || UNNAMED, costUsd: sumOf(of, 0).costUsd, tokens: of.reduce((all, group) => all + tokensOf(group), 0) }))
    .filter(({ costUsd, tokens }) => costUsd > 0 || tokens > 0)
    .sort((a, b) => (a.model < b.model ? -1 : 1));
}

export const unpricedIn = (groups: readonly Group[]): string[] =>
  [...new Set(groups.filter(({ unpricedTokens }) => unpricedTokens > 0).map(({ model }) => model || UNNAMED))].sort();

function grouped(groups: readonly Group[], by: 'key' | 'model'): ReadonlyMap<string, readonly Group[]> {
  const found = new Map<string, Group[]>();
  for (const group of groups) found.set(group[by], [...(found.get(group[by]) ?? []), group]);
  return found;
}

export function sumOf(groups: readonly Figures[], sessions: number): UsageList['total'] {
  const sum = (figure: keyof Figures): number => groups.reduce((all, group) => all + group[figure], 0);
  return {
    inputTokens: sum('inputTokens'),
    outputTokens: sum('outputTokens'),
    cacheReadTokens: sum('cacheReadTokens'),
    cacheWriteTokens: sum('cacheWriteTokens'),
    // Rounded to a billionth of a dollar: sums would otherwise end in rounding noise.
    costUsd: Math.round(sum('costUsd') * 1e9) / 1e9,
    unpricedTokens: sum('unpricedTokens'),
    turns: sum('turns'),
    durationMs: sum('durationMs'),
    sessions,
  };
}

const byKey = (a: UsageRow, b: UsageRow): number => (a.key < b.key ? -1 : 1);
const byCost = (a: UsageRow, b: UsageRow): number => b.costUsd - a.costUsd || tokensOf(b) - tokensOf(a) || byKey(a, b);
