import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import type { RunId } from '../protocol/ids.ts';
import type { RunFiles } from './files.ts';
import { HAS_PROC } from './identity.ts';
import { type ListeningPort, portsOf } from './listening-ports.ts';
import type { Process } from './processes.ts';
import { readPids } from './state.ts';
import { membersOf } from './sweep.ts';

/** Resident memory per run, from one snapshot of all processes: every process that carries the run's marker or descends from its agent. */
export function memoryOf(runs: readonly RunFiles[], processes: readonly Process[]): ReadonlyMap<RunId, number> {
  const members = runs.map((files) => pidsOf(files, processes));
  const bytes = HAS_PROC ? byProc(members.flat()) : byPs(members.flat());
  const used = new Map<RunId, number>();
  for (const [index, files] of runs.entries()) {
    const own = members[index] ?? [];
    if (own.length > 0)
      used.set(
        basename(files.folder) as RunId,
        own.reduce((sum, pid) => sum + (bytes.get(pid) ?? 0), 0),
      );
  }
  return used;
}

/** What the processes of each run listen on. */
export function portsOfRuns(runs: readonly RunFiles[], processes: readonly Process[]): ReadonlyMap<RunId, readonly ListeningPort[]> {
  const all = runs.map((files) => [basename(files.folder) as RunId, portsOf(pidsOf(files, processes))] as const);
  return new Map(all.filter(([, ports]) => ports.length > 0));
}

function pidsOf(files: RunFiles, processes: readonly Process[]): readonly number[] {
  const agent = readPids(files)?.agent;
  return membersOf(basename(files.folder), new Map(agent ? [[agent.pid, agent.start]] : []), processes).map(({ pid }) => pid);
}

type Bytes = ReadonlyMap<number, number>;

/** `status` costs about 30 µs; `smaps_rollup` would walk the page tables of a 250 MB program. */
const byProc = (pids: readonly number[]): Bytes => new Map(pids.flatMap((pid) => residentOf(pid)));

function residentOf(pid: number): [number, number][] {
  try {
    return [[pid, Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1] ?? 0) * 1024]];
  } catch {
    return []; // gone
  }
}

/** Without /proc. `ps` reports kilobytes. */
export function byPs(pids: readonly number[]): Bytes {
  if (pids.length === 0) return new Map();
  const ps = spawnSync('ps', ['-o', 'pid=,rss=', '-p', pids.join(',')], { encoding: 'utf8' });
  const rows = (ps.stdout ?? '').split('\n').map((line) => /^\s*(\d+)\s+(\d+)\s*$/.exec(line));
  return new Map(rows.flatMap((row): [number, number][] => (row === null ? [] : [[Number(row[1]), Number(row[2]) * 1024]])));
}
