import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

/** Whether this pid is a living process of that program now: a pid alone may have become somebody else's. */
export function isProgram(pid: number, program: RegExp): boolean {
  try {
    process.kill(pid, 0);
    return program.test(commandLineOf(pid));
  } catch {
    return false; // no such process
  }
}

/** Empty for a zombie. */
function commandLineOf(pid: number): string {
  if (existsSync('/proc/self/cmdline')) return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  return spawnSync('ps', ['-o', 'args=', '-p', String(pid)], { encoding: 'utf8' }).stdout;
}

/** Ends a process with all that it started in its group. */
export function signalGroup(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(-pid, name);
  } catch {
    // It has ended.
  }
}
