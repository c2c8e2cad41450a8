import type { Price } from '../../port/archive.ts';

/**
 * Dollars per million tokens, as the vendor listed them in November 2026. Only models with a single price: `claude-sonnet-5` had two
 * (2.1.197 uses 3 and 15, the list says 2 and 10), and `claude-haiku-5-5` costs more for long prompts.
 */
const PRICES: ReadonlyMap<string, readonly [input: number, output: number, cacheRead: number]> = new Map([
  ['claude-3-5-haiku', [0.8, 4, 0.08]],
  ['claude-3-5-sonnet', [3, 15, 0.3]],
  ['claude-3-7-sonnet', [3, 15, 0.3]],
  ['claude-sonnet-4', [3, 15, 0.3]],
  ['claude-sonnet-4-5', [3, 15, 0.3]],
  ['claude-sonnet-4-6', [3, 15, 0.3]],
  ['claude-sonnet-5-5', [2, 10, 0.2]],
  ['claude-haiku-4-5', [1, 5, 0.1]],
  ['claude-opus-4', [15, 75, 1.5]],
  ['claude-opus-4-1', [15, 75, 1.5]],
  ['claude-opus-4-5', [5, 25, 0.5]],
  ['claude-opus-4-6', [5, 25, 0.5]],
  ['claude-opus-4-7', [5, 25, 0.5]],
  ['claude-opus-4-8', [5, 25, 0.5]],
  ['claude-opus-5', [5, 25, 0.5]],
  ['claude-opus-5-5', [4, 20, 0.2]],
  ['claude-fable-5', [10, 50, 1]],
  ['claude-fable-5-1', [10, 50, 0.25]],
]);

/** Of the two cache lifetimes, the CLI's default: five minutes. */
const CACHE_WRITE = 1.25;

/** A name may end with a date and a window size, which don't affect the price. */
export function price(model: string): Price | undefined {
  const known = PRICES.get(model.replace(/(?:[-@]\d{8})?(?:\[1m\])?$/, ''));
  if (known === undefined) return undefined;
  const [input, output, cacheRead] = known;
  return { input, output, cacheRead, cacheWrite: input * CACHE_WRITE };
}
