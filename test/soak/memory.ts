import type { CDPSession } from 'playwright-core';

/** What the page holds after everything that can go has gone. */
export interface Held {
  readonly heapBytes: number;
  readonly nodes: number;
  readonly listeners: number;
}

export async function heldBy(cdp: CDPSession): Promise<Held> {
  await cdp.send('HeapProfiler.collectGarbage');
  const { metrics } = await cdp.send('Performance.getMetrics');
  const metric = (wanted: string): number => metrics.find(({ name }) => name === wanted)?.value ?? Number.NaN;
  return { heapBytes: metric('JSHeapUsedSize'), nodes: metric('Nodes'), listeners: metric('JSEventListeners') };
}

/** More than after the warm-up: what a few thousand more events of a transcript weigh, and the rows that are drawn of a longer one. */
const MORE: Held = { heapBytes: 12 * 2 ** 20, nodes: 6000, listeners: 1500 };

/** What grew beyond the bound, in words. */
export function grownBeyond(before: Held, after: Held): readonly string[] {
  return (['heapBytes', 'nodes', 'listeners'] as const)
    .filter((what) => !(after[what] <= before[what] + MORE[what]))
    .map((what) => `${what} grew from ${before[what]} to ${after[what]}, more than ${MORE[what]}`);
}

export const heldText = ({ heapBytes, nodes, listeners }: Held): string => `${(heapBytes / 2 ** 20).toFixed(1)} MB, ${nodes} nodes, ${listeners} listeners`;
