import { readdirSync, readFileSync, statSync } from 'node:fs';
import { isAlive, parsePids } from '../../src/host/identity.ts';
import { isLauncherOf } from '../../src/host/state.ts';
import type { Victim } from './plan.ts';

/** One process of a run by its part; undefined when it is not there (any more). */
export function pidOf(folder: string, run: string, victim: Victim): number | undefined {
  const pids = parsePids(readOr(`${folder}/pids`, ''));
  if (pids === undefined) return undefined;
  if (victim === 'agent') return isAlive(pids.agent) ? pids.agent.pid : undefined;
  const launchers = allPids().filter((pid) => isLauncherOf(pid, run));
  return launchers.find((pid) => (victim === 'shell' ? pid === pids.shell : pid !== pids.shell));
}

/** Everything alive that carries a run's marker, with its command line. */
export function markedBy(runs: readonly string[]): readonly { readonly pid: number; readonly command: string }[] {
  const marks = new Set(runs.map((run) => `SIGNALBOX_RUN=${run}`));
  return allPids()
    .filter((pid) =>
      readOr(`/proc/${pid}/environ`, '')
        .split('\0')
        .some((entry) => marks.has(entry)),
    )
    .map((pid) => ({ pid, command: readOr(`/proc/${pid}/cmdline`, '').split('\0').join(' ').trim() }))
    .filter(({ command }) => command !== '');
}

export const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

const allPids = (): readonly number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);

/** A process, or its file, may vanish while we look. */
function readOr(path: string, otherwise: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return otherwise;
  }
}
