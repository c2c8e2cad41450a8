import { setTimeout as sleep } from 'node:timers/promises';
import { PATIENCE_MS } from './patience.ts';

/** Soon at first, then less often: a look may be a question to a server, which takes from the processor what is waited for. */
const FIRST_MS = 5;
const LAST_MS = 100;
const SLOWER = 1.3;

type Sought<T> = T | undefined | false | null;

/** Looks until something holds; past the limit it fails by naming what was waited for. */
export async function waitFor<T>(what: string | (() => string), look: () => Sought<T> | Promise<Sought<T>>, limitMs = PATIENCE_MS): Promise<T> {
  const deadline = performance.now() + limitMs;
  for (let restMs = FIRST_MS; ; restMs = Math.min(restMs * SLOWER, LAST_MS)) {
    const found = await look();
    if (found !== undefined && found !== false && found !== null) return found;
    if (performance.now() > deadline) throw new Error(`Waited ${limitMs} ms in vain for ${typeof what === 'string' ? what : what()}`);
    await sleep(restMs);
  }
}
