import { randomBytes } from 'node:crypto';
import { rmSync, statfsSync, statSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Problems } from '../problems/problems.ts';
import { errorCode } from './files.ts';

/**
 * Watches the free space. On a full disk agents drop output silently, so we keep a file of the reserve's size and delete it when no more
 * than that is left free: agents can still write while they are being interrupted.
 */
export interface Disk {
  readonly isLow: boolean;
  readonly freeBytes: number;
  readonly isReserveHeld: boolean;
  /** Checks now; calls `onDisk` when the disk becomes low or has recovered. */
  check(): void;
  /** For callers that have other work to do: checks later, and a failure is not their problem. */
  checkSoon(): void;
  /** Resolves when no reserve is being written. */
  idle(): Promise<void>;
  close(): void;
}

export interface DiskOptions {
  readonly dataDir: string;
  readonly reserveBytes: number;
  /** How often to check while the disk is low, when there may be no writer to notice. */
  readonly checkMs: number;
  onDisk(isLow: boolean): void;
  readonly problems: Problems;
}

const CHECK = 'check the free disk space';

// Recovered only when the reserve fits and half as much again; otherwise writing the reserve would make the disk low.
const RECOVERED = 2.5;

export function openDisk({ dataDir, reserveBytes, checkMs, onDisk, problems }: DiskOptions): Disk {
  const reserveFile = join(dataDir, 'reserve');
  let isLow = false;
  let freeBytes = 0;
  let isReserveHeld = reserveBytes > 0 && statSync(reserveFile, { throwIfNoEntry: false })?.size === reserveBytes;
  let making: Promise<void> | undefined;
  let looking: NodeJS.Timeout | undefined;

  const turnLow = (): void => {
    isLow = true;
    looking ??= problems.every(CHECK, checkMs, check).unref();
    isReserveHeld = false;
    rmSync(reserveFile, { force: true });
    onDisk(true);
  };
  const makeReserve = async (): Promise<void> => {
    try {
      isReserveHeld = await writeReserve(reserveFile, reserveBytes, () => isLow);
    } finally {
      making = undefined;
    }
  };
  const startWriting = (): Promise<void> => {
    const made = makeReserve();
    problems.during('keep its reserve of disk space', () => made);
    return made.catch(() => undefined);
  };
  const recover = (): void => {
    if (isLow) {
      isLow = false;
      looking = void clearInterval(looking);
      onDisk(false);
    }
    if (!isReserveHeld) making ??= startWriting();
  };
  const check = (): void => {
    const { bavail, bsize } = statfsSync(dataDir);
    freeBytes = bavail * bsize;
    if (reserveBytes === 0) return;
    // Without a reserve there is nothing to release: the disk is low until one fits. This way a new server continues where the last one stopped.
    const needed = isReserveHeld || making ? reserveBytes : reserveBytes * RECOVERED;
    if (!isLow && freeBytes < needed) turnLow();
    if (freeBytes >= reserveBytes * RECOVERED && !making) recover();
  };
  return {
    get isLow() {
      return isLow;
    },
    get freeBytes() {
      return freeBytes;
    },
    get isReserveHeld() {
      return isReserveHeld;
    },
    check,
    checkSoon: () => void problems.soon(CHECK, check),
    idle: async () => making,
    close: () => clearInterval(looking),
  };
}

/** Random bytes, because some file systems store zeros without using space. */
async function writeReserve(path: string, bytes: number, isUnwanted: () => boolean): Promise<boolean> {
  const block = randomBytes(Math.min(bytes, 1024 * 1024));
  const file = await open(`${path}.new`, 'w', 0o600);
  try {
    for (let at = 0; at < bytes && !isUnwanted(); at += block.length) await file.write(block, 0, Math.min(block.length, bytes - at));
  } catch (error) {
    if (errorCode(error) !== 'ENOSPC') throw error;
    await rm(`${path}.new`, { force: true });
    return false;
  } finally {
    await file.close();
  }
  if (isUnwanted()) await rm(`${path}.new`, { force: true });
  else await rename(`${path}.new`, path);
  return !isUnwanted();
}
