import { setTimeout as sleep } from 'node:timers/promises';

/** Checks again and again, less and less often, until `holds` or the time is up. Returns whether it holds. */
export async function until(holds: () => boolean, limitMs: number): Promise<boolean> {
  const deadline = performance.now() + limitMs;
  for (let pauseMs = 4; !holds(); pauseMs = Math.min(pauseMs * 1.5, 50)) {
    const leftMs = deadline - performance.now();
    if (leftMs <= 0) return false;
    await sleep(Math.min(pauseMs, leftMs));
  }
  return true;
}
