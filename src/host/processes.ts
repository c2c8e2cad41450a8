import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { setImmediate as turn } from 'node:timers/promises';
import { throwIfExhausted } from './files.ts';
import { HAS_PROC, isRunning, readStat } from './identity.ts';
import { MARKER } from './start.ts';

export interface Process {
  readonly pid: number;
  readonly ppid: number;
  readonly start: string;
  /** The run whose marker it carries, if any and if we can see its environment. */
  readonly run?: string;
}

type MarkerOf = (pid: number, start: string) => string | undefined;

/** Takes a snapshot of all processes. Callers that ask before it starts share it. */
export function createProcessScan(markerOf: MarkerOf = readMarker): () => Promise<readonly Process[]> {
  let next: Promise<readonly Process[]> | undefined;
  const take = async (): Promise<readonly Process[]> => {
    await turn();
    next = undefined;
    return HAS_PROC ? scanProc(markerOf) : scanPs();
  };
  return () => {
    next ??= take();
    return next;
  };
}

// 64 processes take about 2 ms: short enough not to delay followed output.
const PER_TURN = 64;

async function scanProc(markerOf: MarkerOf): Promise<readonly Process[]> {
  const found: Process[] = [];
  const pids = readdirSync('/proc').map(Number).filter(Number.isInteger);
  for (const [index, pid] of pids.entries()) {
    if (index % PER_TURN === PER_TURN - 1) await turn();
    const stat = readStat(pid);
    if (!stat || !isRunning(stat)) continue;
    const run = markerOf(pid, stat.start);
    found.push({ pid, ppid: stat.ppid, start: stat.start, ...(run === undefined ? {} : { run }) });
  }
  return found;
}

/** Far more than most machines run; beyond it everything is read again. */
const REMEMBERED = 4096;

/**
 * Reads the marker of each process once. Reading an environment costs several times as much as the rest, and hardly any process changes its
 * own. Good enough for measuring memory, not for ending processes.
 */
export function rememberMarkers(): MarkerOf {
  const known = new Map<string, string | undefined>();
  return (pid, start) => {
    const key = `${pid} ${start}`;
    if (known.has(key)) return known.get(key);
    if (known.size >= REMEMBERED) known.clear();
    const marker = readMarker(pid);
    known.set(key, marker);
    return marker;
  };
}

function readMarker(pid: number): string | undefined {
  try {
    return findMarker(readFileSync(`/proc/${pid}/environ`, 'latin1'), '\0');
  } catch (error) {
    throwIfExhausted(error);
    return undefined; // gone, or another user's
  }
}

function findMarker(environment: string, separator: string): string | undefined {
  const prefix = `${MARKER}=`;
  let at = environment.indexOf(prefix);
  while (at > 0 && environment[at - 1] !== separator) at = environment.indexOf(prefix, at + 1);
  if (at < 0) return undefined;
  const end = environment.indexOf(separator, at);
  return environment.slice(at + prefix.length, end < 0 ? undefined : end);
}

/** Without /proc: `ps -E` prints the environment of our own processes after the command. */
function scanPs(): readonly Process[] {
  const ps = spawnSync('ps', ['-axEww', '-o', 'pid=,ppid=,stat=,lstart=,command='], {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    env: { ...process.env, LC_ALL: 'C', TZ: 'UTC' },
  });
  return (ps.stdout ?? '').split('\n').flatMap(parsePsLine);
}

function parsePsLine(line: string): Process[] {
  const found = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(\w+ \w+ +\d+ [\d:]+ \d+) (.*)$/.exec(line);
  if (!found || found[3]?.startsWith('Z')) return [];
  const run = findMarker(found[5] ?? '', ' ');
  return [{ pid: Number(found[1]), ppid: Number(found[2]), start: found[4] ?? '', ...(run === undefined ? {} : { run }) }];
}
