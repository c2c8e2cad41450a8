import type { World } from '../engine-context.ts';
import type { RunBox } from '../loop/run-reader.ts';
import type { SessionBox } from '../loop/session-actor.ts';
import { sleepForMemory } from './live-slots.ts';

const MEASURE_EVERY_MS = 5_000;

/** Measures the memory of all live agents now and then. Returns the way to stop. */
export function measureMemory(world: World): () => void {
  let isMeasuring = false;
  const { problems, settings } = world.deps;
  const timer = problems.every('measure the memory of agents', settings.memoryEveryMs ?? MEASURE_EVERY_MS, async () => {
    if (isMeasuring || world.closing) return;
    isMeasuring = true;
    try {
      await measure(world);
    } finally {
      isMeasuring = false;
    }
  });
  timer.unref();
  return () => clearInterval(timer);
}

async function measure(world: World): Promise<void> {
  const live = [...world.boxes.values()].filter((box) => box.run?.pid !== undefined);
  if (live.length === 0) return;
  const runs = live.flatMap((box) => box.run ?? []);
  const used = await world.deps.host.memory(runs.map((run) => run.ref));
  for (const box of live) if (box.run !== undefined) note(box, box.run, used.get(box.run.ref.run));
  if (world.deps.settings.maxMemoryBytes === 0) return;
  sleepForMemory(world);
  world.placesChanged();
}

/** Smaller changes are not worth a line to everybody who looks at the list. */
const TOLD_SHARE = 0.05;
const TOLD_BYTES = 4 * 1024 * 1024;

export function isWorthTelling(before: number | undefined, now: number): boolean {
  if (before === undefined) return true;
  const change = Math.abs(now - before);
  return change > 0 && (change >= TOLD_BYTES || change >= before * TOLD_SHARE);
}

function note(box: SessionBox, run: RunBox, bytes: number | undefined): void {
  if (bytes === undefined || !isWorthTelling(run.rssBytes, bytes)) return;
  run.rssBytes = bytes;
  box.tellSummary();
}
