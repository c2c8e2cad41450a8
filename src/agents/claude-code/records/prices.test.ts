import { expect, test } from 'vitest';
import { readRecordings } from '../../../../test/support/agents/claude-recordings.ts';
import { isObject } from '../../formats/shape.ts';
import { price } from './prices.ts';

interface Calculated {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly costUSD: number;
}

const isCalculated = (value: unknown): value is Calculated =>
  isObject(value) && typeof value.costUSD === 'number' && value.cacheReadInputTokens === 0 && value.cacheCreationInputTokens === 0;

/** What the CLI itself calculated for a model. */
const calculated = readRecordings()
  .flatMap(({ lines }) => lines.filter((line) => line.includes('"modelUsage"')))
  .flatMap((line) => Object.entries<unknown>(JSON.parse(line).modelUsage ?? {}))
  .flatMap(([model, used]) => (isCalculated(used) ? [[model, used] as const] : []));

test('our prices match what the CLI calculated for each model', () => {
  const models = new Set<string>();
  for (const [model, used] of calculated) {
    const known = price(model);
    if (known === undefined) continue;
    models.add(model);
    expect((used.inputTokens * known.input + used.outputTokens * known.output) / 1e6, model).toBeCloseTo(used.costUSD, 9);
  }
  expect([...models].sort()).toEqual(['claude-opus-4-8', 'claude-opus-4-8[1m]', 'claude-opus-5-5', 'claude-sonnet-5-5']);
});

const names = [
  ['a name with a date', 'claude-haiku-4-5-20251001', { input: 1, output: 5, cacheRead: 0.1, cacheWrite: 1.25 }],
  ['the first model of its family', 'claude-opus-4-20250514', { input: 15, output: 75, cacheRead: 1.5, cacheWrite: 18.75 }],
  ['a successor that costs less', 'claude-opus-4-5', { input: 5, output: 25, cacheRead: 0.5, cacheWrite: 6.25 }],
  ['a model with cheaper cache reads', 'claude-opus-5-5', { input: 4, output: 20, cacheRead: 0.2, cacheWrite: 5 }],
  ['a future model', 'claude-opus-9', undefined],
  ['a model that had two prices', 'claude-sonnet-5', undefined],
  ['text from the CLI itself', '<synthetic>', undefined],
  ['a name that every object has', '__proto__', undefined],
] as const;
for (const [title, model, expected] of names)
  test(`the price of ${title} is ${expected === undefined ? 'not known' : 'known'}`, () => expect(price(model)).toEqual(expected));
