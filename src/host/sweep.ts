import { setTimeout as sleep } from 'node:timers/promises';
import { identify, signal } from './identity.ts';
import type { HostLimits } from './limits.ts';
import type { Process } from './processes.ts';

/** The processes of a run, with start times: children that dropped the marker are known only while their parent is alive. */
export type Family = Map<number, string>;

type Scan = () => Promise<readonly Process[]>;

export class SweepIncomplete extends Error {
  override readonly name = 'SweepIncomplete';
  constructor(
    readonly run: string,
    readonly pids: readonly number[],
  ) {
    super(`Processes of run ${run} could not be ended: ${pids.join(', ')}`);
  }
}

/** Ends everything that carries the run's marker or is known to descend from it: TERM, then KILL, until two scans in a row find nothing. */
export async function sweepRun(run: string, family: Family, scan: Scan, limits: HostLimits): Promise<void> {
  const startedAt = performance.now();
  const signaled = new Set<number>();
  let emptyScans = 0;
  while (emptyScans < 2) {
    const left = membersOf(run, family, await scan());
    emptyScans = left.length === 0 ? emptyScans + 1 : 0;
    const elapsedMs = performance.now() - startedAt;
    if (elapsedMs > limits.sweepTermMs + limits.sweepKillMs && left.length > 0) throw new SweepIncomplete(run, left.map(pidOf));
    for (const member of left) signalOnce(member, signaled, elapsedMs >= limits.sweepTermMs);
    if (left.length > 0) await sleep(20);
  }
}

/** TERM once, KILL as often as needed. */
function signalOnce(member: Process, signaled: Set<number>, isLate: boolean): void {
  const who = identify(member.pid);
  if (who?.start !== member.start) return;
  if (isLate) signal(who, 'SIGKILL');
  else if (!signaled.has(member.pid)) signal(who, 'SIGTERM');
  signaled.add(member.pid);
}

/** All processes of the run in this snapshot; `family` remembers them for the next one. */
export function membersOf(run: string, family: Family, processes: readonly Process[]): readonly Process[] {
  const isMember = (one: Process): boolean => one.run === run || family.get(one.pid) === one.start;
  const members = new Set(processes.filter(isMember));
  let before = -1;
  while (before !== members.size) {
    before = members.size;
    const pids = new Set([...members].map(pidOf));
    for (const one of processes) if (pids.has(one.ppid)) members.add(one);
  }
  const others = [...members].filter((one) => one.pid !== process.pid);
  for (const one of others) family.set(one.pid, one.start);
  return others;
}

const pidOf = (one: Process): number => one.pid;
