import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

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
function environmentOf(pid: number): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
  } catch {
    return [];
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It ended between being found and being ended.
  }
}
