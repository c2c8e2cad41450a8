import type { CDPSession } from 'playwright-core';
import { ms, quantile } from '../archive/measure.ts';
import type { Row } from '../relay/table.ts';

/** A trace of half a minute has about ten megabytes. */
const TRACE_LIMIT_MS = 60_000;

interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly dur?: number;
  readonly tid: number;
  readonly pid: number;
  readonly args?: { readonly name?: string };
}

/** The durations of all tasks on the page's main thread while `run` ran, in milliseconds, sorted. */
export async function tasksWhile(cdp: CDPSession, run: () => Promise<void>): Promise<readonly number[]> {
  const events: TraceEvent[] = [];
  const collect = ({ value }: { value: unknown[] }) => events.push(...(value as TraceEvent[]));
  cdp.on('Tracing.dataCollected', collect);
  await cdp.send('Tracing.start', { traceConfig: { includedCategories: ['toplevel', '__metadata'] }, transferMode: 'ReportEvents' });
  await run();
  const complete = new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`No trace of the page within ${TRACE_LIMIT_MS} ms`)), TRACE_LIMIT_MS);
    cdp.once('Tracing.tracingComplete', () => {
      clearTimeout(timer);
      resolve();
    });
  });
  await cdp.send('Tracing.end');
  await complete;
  cdp.off('Tracing.dataCollected', collect);
  const mains = new Set(events.filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain').map(({ pid, tid }) => `${pid} ${tid}`));
  const tasks = events.filter(({ name, ph, pid, tid }) => name === 'ThreadControllerImpl::RunTask' && ph === 'X' && mains.has(`${pid} ${tid}`));
  return tasks.map(({ dur = 0 }) => dur / 1000).sort((a, b) => a - b);
}

export function reportTasks(say: (row: Row) => void, what: string, tasks: readonly number[]): void {
  const p99 = quantile(tasks, 0.99);
  const long = tasks.filter((task) => task > 50).length;
  const ours = `${ms(p99)}; ${long} of ${tasks.length} over 50 ms, longest ${ms(tasks.at(-1) ?? Number.NaN)}`;
  say({ what, ours, floor: '', target: '≤ 50 ms', holds: p99 <= 50 });
}

/** Seconds of script so far. */
export const scriptSeconds = async (cdp: CDPSession): Promise<number> => metric(cdp, 'ScriptDuration');

/** Heap size after garbage collection. */
export async function heapBytes(cdp: CDPSession): Promise<number> {
  await cdp.send('HeapProfiler.collectGarbage');
  return metric(cdp, 'JSHeapUsedSize');
}

async function metric(cdp: CDPSession, wanted: string): Promise<number> {
  const { metrics } = await cdp.send('Performance.getMetrics');
  return metrics.find(({ name }) => name === wanted)?.value ?? Number.NaN;
}
