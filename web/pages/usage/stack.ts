import type { UsageRow } from '../../../src/protocol/api/usage.ts';

export type Unit = 'cost' | 'tokens';

export interface Layer {
  readonly name: string;
  /** What it has of each day. */
  readonly values: readonly number[];
}

/** Shades that can still be told apart. */
export const SHADES = 5;

/** The figures of each model by day, the largest model first; those that have no shade of their own are one. */
export function layersOf(days: readonly string[], rows: readonly UsageRow[], unit: Unit): readonly Layer[] {
  const byDay = new Map(rows.map((row) => [row.key, new Map(row.models?.map((model) => [model.model, unit === 'cost' ? model.costUsd : model.tokens]))]));
  const names = new Set(rows.flatMap((row) => row.models?.map(({ model }) => model) ?? []));
  const layers = [...names]
    .map((name) => ({ name, values: days.map((day) => byDay.get(day)?.get(name) ?? 0) }))
    .filter(({ values }) => sum(values) > 0)
    .sort((a, b) => sum(b.values) - sum(a.values) || (a.name < b.name ? -1 : 1));
  return layers.length <= SHADES ? layers : [...layers.slice(0, SHADES - 1), joined(layers.slice(SHADES - 1))];
}

const joined = (layers: readonly Layer[]): Layer => ({
  name: `${layers.length} others`,
  values: (layers[0]?.values ?? []).map((_, day) => sum(layers.map(({ values }) => values[day] ?? 0))),
});

/** As they stand on each other: each with all that are below it. */
export function stacked(layers: readonly Layer[]): readonly (readonly number[])[] {
  const heights: (readonly number[])[] = [];
  for (const { values } of layers) {
    const below = heights.at(-1);
    heights.push(values.map((value, day) => value + (below?.[day] ?? 0)));
  }
  return heights;
}

export const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);
