import { setImmediate as turn } from 'node:timers/promises';
import type { AgentPast, PastRecord } from '../../agents/port/adapter.ts';

/** Short enough not to delay other sessions noticeably. A record of 26 MB takes about 400 ms in total. */
const SLICE_MS = 8;

/** Reads a record as the agent would resume it; a long one in slices. */
export async function readRecord(past: AgentPast, text: string): Promise<PastRecord> {
  const steps = past.reading(text);
  for (let since = performance.now(); ; ) {
    const step = steps.next();
    if (step.done) return step.value;
    if (performance.now() - since < SLICE_MS) continue;
    await turn();
    since = performance.now();
  }
}
