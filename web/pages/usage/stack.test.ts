import { expect, test } from 'vitest';
import type { UsageRow } from '../../../src/protocol/api/usage.ts';
import { layersOf, SHADES, stacked } from './stack.ts';

const none = {
  inputTokens: 0,
  outputTokens: 0,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  costUsd: 0,
  unpricedTokens: 0,
  turns: 0,
  durationMs: 0,
  sessions: 0,
};
const row = (day: string, models: Readonly<Record<string, number>>): UsageRow => ({
  ...none,
  key: day,
  title: day,
  models: Object.entries(models).map(([model, tokens]) => ({ model, tokens, costUsd: tokens / 100 })),
});
const days = ['2026-01-01', '2026-01-02', '2026-01-03'];

test('every model is a layer with a value per day, largest first', () => {
  const rows = [row('2026-01-01', { small: 1, big: 10 }), row('2026-01-03', { big: 5 })];
  expect(layersOf(days, rows, 'tokens')).toEqual([
    { name: 'big', values: [10, 0, 5] },
    { name: 'small', values: [1, 0, 0] },
  ]);
  expect(layersOf(days, rows, 'cost')[0]).toEqual({ name: 'big', values: [0.1, 0, 0.05] });
});

test('layers are stacked', () => {
  expect(
    stacked([
      { name: 'a', values: [1, 2] },
      { name: 'b', values: [10, 0] },
    ]),
  ).toEqual([
    [1, 2],
    [11, 2],
  ]);
});

test('models beyond the last shade are summed into one layer', () => {
  const many = Object.fromEntries(Array.from({ length: 9 }, (_, n) => [`m${n}`, n + 1]));
  const layers = layersOf(days, [row('2026-01-02', many)], 'tokens');
  expect(layers).toHaveLength(SHADES);
  expect(layers.at(-1)).toEqual({ name: '5 others', values: [0, 15, 0] });
  expect(stacked(layers).at(-1)).toEqual([0, 45, 0]);
});

test('a model without values in this unit has no layer', () => {
  expect(layersOf(days, [row('2026-01-01', { free: 0 })], 'cost')).toEqual([]);
});
