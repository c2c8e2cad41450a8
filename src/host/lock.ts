import { linkSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode, readIfExists } from './files.ts';
import { type Identity, identify, isAlive } from './identity.ts';

/** Held by the only server that is allowed to write to a data folder. */
export interface DataLock {
  /** Can be called twice. */
  release(): void;
}

export class DataFolderInUse extends Error {
  override readonly name = 'DataFolderInUse';
  constructor(
    readonly dataDir: string,
    readonly pid: number,
    readonly since: string,
  ) {
    super(
      `The data folder ${dataDir} is in use by the Signalbox server with process id ${pid}, since ${since}. Stop that server first, or choose another folder with --data.`,
    );
  }
}

interface Holder {
  readonly identity: Identity;
  readonly since: string;
}

/**
 * Locks are numbered files, each naming its holder; the highest number counts. A lock whose holder is dead is taken over by creating the
 * next number, which only one process can do. Numbers never decrease, so nobody acts on a lock that was read before another takeover.
 */
export function lockDataFolder(dataDir: string): DataLock {
  const mine = join(dataDir, `lock.new-${process.pid}`);
  writeFileSync(mine, JSON.stringify(describeUs()), { mode: 0o600 });
  try {
    return hold(dataDir, takeNumber(dataDir, mine));
  } finally {
    rmSync(mine, { force: true });
  }
}

function describeUs(): Holder {
  const identity = identify(process.pid);
  if (!identity) throw new Error('This system does not report when a process started');
  return { identity, since: new Date().toISOString() };
}

function takeNumber(dataDir: string, mine: string): number {
  for (;;) {
    const highest = numbers(dataDir).at(-1) ?? 0;
    const holder = readHolder(lockPath(dataDir, highest));
    if (holder && isAlive(holder.identity)) throw new DataFolderInUse(dataDir, holder.identity.pid, holder.since);
    const next = highest + 1;
    if (!linked(mine, lockPath(dataDir, next))) continue;
    if (numbers(dataDir).at(-1) === next) return next;
    rmSync(lockPath(dataDir, next), { force: true }); // others took over while we looked: our number is outdated
  }
}

function hold(dataDir: string, number: number): DataLock {
  for (const old of numbers(dataDir)) if (old < number) rmSync(lockPath(dataDir, old), { force: true });
  let isHeld = true;
  return {
    release: () => {
      if (!isHeld) return;
      isHeld = false;
      const path = lockPath(dataDir, number);
      writeFileSync(`${path}.new`, 'released', { mode: 0o600 });
      renameSync(`${path}.new`, path);
    },
  };
}

const lockPath = (dataDir: string, number: number): string => join(dataDir, `lock-${number}`);

function numbers(dataDir: string): readonly number[] {
  const found = readdirSync(dataDir).flatMap((name) => /^lock-(\d+)$/.exec(name)?.[1] ?? []);
  return found.map(Number).sort((a, b) => a - b);
}

function linked(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  }
}

/** Undefined if it was released or doesn't parse as a holder. */
function readHolder(path: string): Holder | undefined {
  const text = readIfExists(path) ?? '';
  if (!text.startsWith('{')) return undefined;
  return JSON.parse(text) as Holder;
}
