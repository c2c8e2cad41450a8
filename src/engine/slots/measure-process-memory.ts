import type { EngineContext } from '../loop/engine-context.ts';
import type { RunReader } from '../loop/run-reader.ts';
import type { SessionActor } from '../loop/session-actor.ts';
import { sleepForMemory } from './live-slots.ts';

const MEASURE_EVERY_MS = 5_000;

/** Measures the memory of all live agents periodically. Returns a function that stops it. */
export function measureMemory(context: EngineContext): () => void {
  let isMeasuring = false;
  const { problems, settings } = context.deps;
  const timer = problems.every('measure the memory of agents', settings.memoryEveryMs ?? MEASURE_EVERY_MS, async () => {
    if (isMeasuring || context.closing) return;
    isMeasuring = true;
    try {
      await measure(context);
    } finally {
      isMeasuring = false;
    }
  });
  timer.unref();
  return () => clearInterval(timer);
}

async function measure(context: EngineContext): Promise<void> {
  const live = [...context.sessions.values()].filter((session) => session.run?.pid !== undefined);
  if (live.length === 0) return;
  const runs = live.flatMap((session) => session.run ?? []);
  const used = await context.deps.host.memory(runs.map((run) => run.ref));
  for (const session of live) if (session.run !== undefined) note(session, session.run, used.get(session.run.ref.run));
  if (context.deps.settings.maxMemoryBytes === 0) return;
  sleepForMemory(context);
  context.slotsChanged();
}

/** Smaller changes are not worth an update to everyone who has the list open. */
const PUBLISHED_SHARE = 0.05;
const PUBLISHED_BYTES = 4 * 1024 * 1024;

export function isWorthPublishing(before: number | undefined, now: number): boolean {
  if (before === undefined) return true;
  const change = Math.abs(now - before);
  return change > 0 && (change >= PUBLISHED_BYTES || change >= before * PUBLISHED_SHARE);
}

function note(session: SessionActor, run: RunReader, bytes: number | undefined): void {
  if (bytes === undefined || !isWorthPublishing(run.rssBytes, bytes)) return;
  run.rssBytes = bytes;
  session.publishSummary();
}
