import { setTimeout as sleep } from 'node:timers/promises';
import { WAIT_LIMIT_MS } from './wait-limit.ts';

/** Often at first, then less so: a check can be a request to a server, and it takes CPU time away from what the test waits for. */
const FIRST_MS = 5;
const LAST_MS = 100;
const SLOWER = 1.3;

type Maybe<T> = T | undefined | false | null;

/** Polls until `check` returns something; after the limit it fails and says what it waited for. */
export async function waitFor<T>(what: string | (() => string), check: () => Maybe<T> | Promise<Maybe<T>>, limitMs = WAIT_LIMIT_MS): Promise<T> {
  const deadline = performance.now() + limitMs;
  for (let restMs = FIRST_MS; ; restMs = Math.min(restMs * SLOWER, LAST_MS)) {
    const found = await check();
    if (found !== undefined && found !== false && found !== null) return found;
    if (performance.now() > deadline) throw new Error(`Timed out after ${limitMs} ms waiting for ${typeof what === 'string' ? what : what()}`);
    await sleep(restMs);
  }
}
