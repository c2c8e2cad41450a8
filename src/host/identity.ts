import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { throwIfExhausted } from './files.ts';

/** Identifies a process. A pid alone is not enough, because it is reused later. */
export interface Identity {
  readonly pid: number;
  /** Ticks since boot (Linux) or the start time as `ps` prints it. */
  readonly start: string;
  readonly boot: string;
}

export interface Pids {
  readonly agent: Identity;
  /** The launcher's shell. */
  readonly shell: number;
}

/** Parses `pids`, which the agent wrote before it became the command. */
export function parsePids(text: string): Pids | undefined {
  const field = (name: string): string => new RegExp(`^${name} (.*)$`, 'm').exec(text)?.[1]?.trim() ?? '';
  const pid = Number(field('agent'));
  const start = field('start');
  if (!Number.isInteger(pid) || pid <= 1 || start === '') return undefined;
  return { agent: { pid, start: parseStat(start)?.start ?? start, boot: field('boot') }, shell: Number(field('sh')) };
}

export interface Stat {
  readonly state: string;
  readonly ppid: number;
  readonly start: string;
}

/** A command's name can contain spaces and brackets, so the fields are counted from the last `)`. */
export function parseStat(line: string): Stat | undefined {
  const end = line.lastIndexOf(')');
  if (end < 0) return undefined;
  const fields = line.slice(end + 2).split(' ');
  const [state, ppid, start] = [fields[0], fields[1], fields[19]];
  if (state === undefined || ppid === undefined || start === undefined) return undefined;
  return { state, ppid: Number(ppid), start };
}

/** True while exactly this process runs. A zombie is dead, although kill(pid, 0) calls it alive. */
export function isAlive(who: Identity): boolean {
  const now = identify(who.pid);
  return now !== undefined && now.start === who.start && now.boot === who.boot;
}

/** The process that currently has this pid, unless it is dead. */
export function identify(pid: number): Identity | undefined {
  return HAS_PROC ? identifyByProc(pid) : identifyByPs(pid);
}

/** Signals only the intended process. Returns whether the signal was sent. */
export function signal(who: Identity, name: NodeJS.Signals): boolean {
  if (!isAlive(who)) return false;
  try {
    return process.kill(who.pid, name);
  } catch {
    return false; // gone between the two calls, or not ours to signal: the caller checks again anyway
  }
}

export const HAS_PROC = existsSync('/proc/self/stat');
const BOOT_ID = HAS_PROC ? readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim() : '';

function identifyByProc(pid: number): Identity | undefined {
  const stat = readStat(pid);
  return stat && isRunning(stat) ? { pid, start: stat.start, boot: BOOT_ID } : undefined;
}

export function readStat(pid: number): Stat | undefined {
  try {
    return parseStat(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch (error) {
    throwIfExhausted(error);
    return undefined; // no such process
  }
}

export const isRunning = (stat: Stat): boolean => stat.state !== 'Z' && stat.state !== 'X';

function identifyByPs(pid: number): Identity | undefined {
  const ps = spawnSync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], { encoding: 'utf8', env: { ...process.env, LC_ALL: 'C', TZ: 'UTC' } });
  const found = /^\s*(\S+)\s+(.*\S)\s*$/m.exec(ps.stdout ?? '');
  if (!found?.[1] || !found[2] || found[1].startsWith('Z')) return undefined;
  return { pid, start: found[2], boot: BOOT_ID };
}
