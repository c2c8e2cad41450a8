import { readdirSync, readFileSync, statSync } from 'node:fs';
import { isAlive, parsePids } from '../../src/host/identity.ts';
import { isLauncherOf } from '../../src/host/state.ts';
import type { Victim } from './plan.ts';

/** The process that plays this part in a run; undefined when it doesn't exist (anymore). */
export function pidOf(folder: string, run: string, victim: Victim): number | undefined {
  const pids = parsePids(readOr(`${folder}/pids`, ''));
  if (pids === undefined) return undefined;
  if (victim === 'agent') return isAlive(pids.agent) ? pids.agent.pid : undefined;
  const launchers = allPids().filter((pid) => isLauncherOf(pid, run));
  return launchers.find((pid) => (victim === 'shell' ? pid === pids.shell : pid !== pids.shell));
}

export interface Marked {
  readonly pid: number;
  readonly run: string;
  readonly command: string;
}

/** Every live process that has the marker of one of these runs. */
export function markedBy(runs: readonly string[]): readonly Marked[] {
  const wanted = new Set(runs);
  return allPids().flatMap((pid) => {
    const run = /(?:^|\0)SIGNALBOX_RUN=([^\0]*)/.exec(readOr(`/proc/${pid}/environ`, ''))?.[1];
    const command = run !== undefined && wanted.has(run) ? readOr(`/proc/${pid}/cmdline`, '').split('\0').join(' ').trim() : '';
    return run === undefined || command === '' ? [] : [{ pid, run, command }];
  });
}

export const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

const allPids = (): readonly number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);

/** A process, or its file, can vanish while we look. */
function readOr(path: string, fallback: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return fallback;
  }
}
