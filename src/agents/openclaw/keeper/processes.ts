import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

/** Whether this pid is a running process of that program: a pid alone may have been reused. */
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

/** Start time of a process, unique to it; undefined when it is gone or a zombie. */
export function startTimeOf(pid: number): string | undefined {
  try {
    if (!existsSync('/proc/self/stat')) return startTimeFromPs(pid);
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return /[ZX]/.test(fields[0] ?? 'Z') ? undefined : `${fields[19]} ${boot}`;
  } catch {
    return undefined;
  }
}

function startTimeFromPs(pid: number): string | undefined {
  const env = { ...process.env, LC_ALL: 'C', TZ: 'UTC' };
  return spawnSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8', env }).stdout.trim() || undefined;
}

/** Signals a process and everything in its group. */
export function signalGroup(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(-pid, name);
  } catch {
    // It has ended.
  }
}
