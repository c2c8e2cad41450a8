import { readdirSync, readFileSync } from 'node:fs';

/** Length of a clock tick, the unit of CPU times in /proc/PID/stat. */

const TICK_MS = 10;

/** CPU time of a process with all its threads, and of the children that have exited and been reaped. */
export function cpuMs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return [11, 12, 13, 14].reduce((sum, index) => sum + Number(fields[index]), 0) * TICK_MS;
}

/** Nanoseconds on a core and how often it was scheduled: exact, so it can prove that nothing ran. */
export function scheduled(pid: number): { readonly ns: number; readonly times: number } {
  const [ns, , times] = readFileSync(`/proc/${pid}/schedstat`, 'latin1').trim().split(' ').map(Number);
  return { ns: ns ?? 0, times: times ?? 0 };
}

export const rssMb = (pid: number): number => kilobytes(`/proc/${pid}/status`, 'VmRSS') / 1024;
export const pssKb = (pid: number): number => kilobytes(`/proc/${pid}/smaps_rollup`, 'Pss');

function kilobytes(path: string, name: string): number {
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(readFileSync(path, 'latin1'))?.[1] ?? Number.NaN);
}

/** The shells and feeders of the runs in a data folder. */
export function launchersBelow(folder: string): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => isLauncher(pid, folder));
}

function isLauncher(pid: number, folder: string): boolean {
  try {
    const argv = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
    return argv[1] === `${folder}/launch.sh`;
  } catch {
    return false; // it has exited in the meantime
  }
}
