import { createHash, randomUUID } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, readdirSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { BlobKey } from './journal.ts';

/** Blobs are files named by their content; the journal's tables store which session uses which. */
export interface BlobFiles {
  put(bytes: Uint8Array): BlobKey;
  get(sha256: string): Uint8Array | undefined;
  remove(sha256: string): void;
}

export function openBlobFiles(folder: string): BlobFiles {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const name of readdirSync(folder)) if (name.endsWith('.tmp')) rmSync(join(folder, name));
  return {
    put: (bytes) => put(folder, bytes),
    get: (sha256) => get(folder, sha256),
    remove: (sha256) => rmSync(blobPath(folder, sha256), { force: true }),
  };
}

/** A blob for another thread, which only reads; undefined if there isn't one. */
export const readBlob = (folder: string, sha256: string): Uint8Array | undefined => get(folder, sha256);

export function sha256Of(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** A blob file gets its name only when it is complete and on disk: written to a temporary file, synced, renamed. */
function put(folder: string, bytes: Uint8Array): BlobKey {
  const sha256 = sha256Of(bytes);
  const path = blobPath(folder, sha256);
  if (!existsSync(path)) {
    makeFolder(join(folder, sha256.slice(0, 2)));
    const temporary = join(folder, `${sha256}.${randomUUID()}.tmp`);
    writeSynced(temporary, bytes);
    renameSync(temporary, path);
    syncFolder(join(folder, sha256.slice(0, 2)));
  }
  return { sha256, bytes: bytes.byteLength };
}

function get(folder: string, sha256: string): Uint8Array | undefined {
  try {
    return readFileSync(blobPath(folder, sha256));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

function blobPath(folder: string, sha256: string): string {
  if (!/^[0-9a-f]{64}$/.test(sha256)) throw new RangeError('A blob is named by a SHA-256 in lower-case hexadecimal');
  return join(folder, sha256.slice(0, 2), sha256);
}

function writeSynced(path: string, bytes: Uint8Array): void {
  const fd = openSync(path, 'wx', 0o600);
  try {
    for (let at = 0; at < bytes.byteLength; ) at += writeSync(fd, bytes, at);
    fsyncSync(fd);
  } catch (error) {
    rmSync(path, { force: true });
    throw error;
  } finally {
    closeSync(fd);
  }
}

/** Makes a folder inside one that must exist: while the data folder is moved away for a moment, a second one must not be created. */
export function makeFolder(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
}

/** A new name in a folder survives a power loss only if the folder itself is synced. */
export function syncFolder(path: string): void {
  const fd = openSync(path, 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
