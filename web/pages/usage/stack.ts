import type { UsageRow } from '../../../src/protocol/api/usage.ts';

export type Unit = 'cost' | 'tokens';

export interface Layer {
  readonly name: string;
  /** One value per day. */
  readonly values: readonly number[];
}

/** More shades can't be told apart. */
export const SHADES = 5;

/** Values per model and day, largest model first. Models beyond the last shade are summed into one layer. */
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

/** Cumulative heights: each layer plus all layers below it. */
export function stacked(layers: readonly Layer[]): readonly (readonly number[])[] {
  const heights: (readonly number[])[] = [];
  for (const { values } of layers) {
    const below = heights.at(-1);
    heights.push(values.map((value, day) => value + (below?.[day] ?? 0)));
  }
  return heights;
}

export const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);
