import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { MARKER } from '../../src/host/start.ts';

const ROUNDS = 100;
const PAUSE_MS = 50;

/** Pids of processes whose environment has this home folder: exactly what a test with a home of its own has started. */
export const processesOf = (home: string): number[] => processesWith('HOME', home);

export function processesWith(variable: string, value: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => pid !== process.pid && environmentOf(pid).includes(`${variable}=${value}`));
}

/** The runs of which processes with this home folder live. */
export const runsOf = (home: string): readonly string[] =>
  processesOf(home).flatMap((pid) => environmentOf(pid).flatMap((line) => (line.startsWith(`${MARKER}=`) ? [line.slice(MARKER.length + 1)] : [])));

/** Whether a process whose command line begins with these words lives, wherever its program lies. */
export const isRunning = ([program, ...args]: readonly string[]): boolean =>
  readdirSync('/proc').some((name) => {
    const [path = '', ...given] = /^\d+$/.test(name) ? contentOf(`/proc/${name}/cmdline`).split('\0') : [];
    return basename(path) === program && args.every((arg, index) => given[index] === arg);
  });

/** Ends them, and what they start meanwhile, until none is left. */
export async function endProcessesOf(home: string): Promise<void> {
  for (let round = 0; round < ROUNDS; round += 1) {
    const pids = processesOf(home);
    if (pids.length === 0) return;
    for (const pid of pids) kill(pid);
    await pause(PAUSE_MS);
  }
  throw new Error(`processes of ${home} are still there: ${processesOf(home).join(', ')}`);
}

/** Empty for a process that is gone, a zombie, or not ours to read. */
const environmentOf = (pid: number): readonly string[] => contentOf(`/proc/${pid}/environ`).split('\0');

function contentOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It ended between being found and being ended.
  }
}
