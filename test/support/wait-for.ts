import { setTimeout as sleep } from 'node:timers/promises';

type Sought<T> = T | undefined | false | null;

/** Looks until something holds; past the limit it fails by naming what was waited for. */
export async function waitFor<T>(what: string, look: () => Sought<T> | Promise<Sought<T>>, limitMs = 15_000): Promise<T> {
  const deadline = performance.now() + limitMs;
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== false && found !== null) return found;
    if (performance.now() > deadline) throw new Error(`Waited ${limitMs} ms in vain for ${what}`);
    await sleep(5);
  }
}
