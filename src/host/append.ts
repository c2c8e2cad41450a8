import { closeSync, constants, fdatasync, fstatSync, openSync, readSync, writeSync } from 'node:fs';
import { promisify } from 'node:util';
import type { RunId } from '../protocol/ids.ts';
import { errorCode } from './files.ts';
import { DiskFull, InputTorn } from './host.ts';

const sync = promisify(fdatasync);

/**
 * Makes sure that `path` holds `bytes` at `offset` exactly once, durably. A writer killed in the middle of a write leaves half a line that
 * the agent may already have read, so only the missing rest is appended and nothing is ever truncated. `onWritten` is called when all bytes
 * are in the file, before they are synced.
 */
export async function appendAt(path: string, run: RunId, offset: number, bytes: Uint8Array, onWritten: () => void = () => {}): Promise<void> {
  const fd = openSync(path, constants.O_RDWR | constants.O_APPEND);
  try {
    const size = fstatSync(fd).size;
    if (size < offset) throw new InputTorn(run, offset);
    const written = Math.min(size - offset, bytes.length);
    if (!holds(fd, offset, bytes.subarray(0, written))) throw new InputTorn(run, offset);
    writeAll(fd, path, bytes.subarray(written));
    onWritten();
    await sync(fd).catch((error: unknown) => {
      throw asDiskFull(error, path);
    });
  } finally {
    closeSync(fd);
  }
}

/** True if all of `bytes` are already in the file. */
export function isAppended(path: string, offset: number, bytes: Uint8Array): boolean {
  const fd = openSync(path, 'r');
  try {
    return holds(fd, offset, bytes);
  } finally {
    closeSync(fd);
  }
}

function holds(fd: number, offset: number, expected: Uint8Array): boolean {
  const found = Buffer.alloc(expected.length);
  let at = 0;
  while (at < found.length) {
    const count = readSync(fd, found, at, found.length - at, offset + at);
    if (count === 0) return false;
    at += count;
  }
  return found.equals(expected);
}

/** A full disk accepts a part and then throws. The part stays, and the next attempt appends the rest. */
function writeAll(fd: number, path: string, bytes: Uint8Array): void {
  let at = 0;
  try {
    while (at < bytes.length) at += writeSync(fd, bytes, at);
  } catch (error) {
    throw asDiskFull(error, path);
  }
}

function asDiskFull(error: unknown, path: string): unknown {
  const code = errorCode(error);
  return code === 'ENOSPC' || code === 'EDQUOT' ? new DiskFull(path, { cause: error }) : error;
}
