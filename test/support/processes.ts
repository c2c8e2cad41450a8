import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { MARKER } from '../../src/host/start.ts';

const ROUNDS = 100;
const PAUSE_MS = 50;

/** Pids of processes that have this home folder in their environment: exactly those that a test with its own home started. */
export const processesOf = (home: string): number[] => processesWith('HOME', home);

export function processesWith(variable: string, value: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => pid !== process.pid && environmentOf(pid).includes(`${variable}=${value}`));
}

/** The runs that have live processes with this home folder. */
export const runsOf = (home: string): readonly string[] =>
  processesOf(home).flatMap((pid) => environmentOf(pid).flatMap((line) => (line.startsWith(`${MARKER}=`) ? [line.slice(MARKER.length + 1)] : [])));

/** Whether a process is running whose command line starts with these words, whatever folder its program is in. */
export const isRunning = ([program, ...args]: readonly string[]): boolean =>
  readdirSync('/proc').some((name) => {
    const [path = '', ...given] = /^\d+$/.test(name) ? contentOf(`/proc/${name}/cmdline`).split('\0') : [];
    return basename(path) === program && args.every((arg, index) => given[index] === arg);
  });

/** Kills them, and whatever they start meanwhile, until none is left. */
export async function endProcessesOf(home: string): Promise<void> {
  for (let round = 0; round < ROUNDS; round += 1) {
    const pids = processesOf(home);
    if (pids.length === 0) return;
    for (const pid of pids) kill(pid);
    await pause(PAUSE_MS);
  }
  throw new Error(`processes of ${home} are still running: ${processesOf(home).join(', ')}`);
}

/** Empty for a process that ended, is a zombie, or belongs to someone else. */
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
    // It exited by itself in the meantime.
  }
}
