import type { CDPSession } from 'playwright-core';

/** What is left in the page's memory after garbage collection. */
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

/** Growth since the warm-up that is fine: a few thousand more transcript events, and the rows drawn for a longer transcript. */
const ALLOWED_GROWTH: Held = { heapBytes: 12 * 2 ** 20, nodes: 6000, listeners: 1500 };

/** Lists what grew more than allowed. */
export function grownBeyond(before: Held, after: Held): readonly string[] {
  return (['heapBytes', 'nodes', 'listeners'] as const)
    .filter((what) => !(after[what] <= before[what] + ALLOWED_GROWTH[what]))
    .map((what) => `${what} grew from ${before[what]} to ${after[what]}, more than ${ALLOWED_GROWTH[what]}`);
}

export const heapText = ({ heapBytes, nodes, listeners }: Held): string => `${(heapBytes / 2 ** 20).toFixed(1)} MB, ${nodes} nodes, ${listeners} listeners`;
