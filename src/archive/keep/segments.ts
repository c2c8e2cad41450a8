import { createHash } from 'node:crypto';
import { closeSync, fsyncSync, mkdirSync, openSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import { makeFolder } from '../../journal/blobs.ts';

/** Files named by the hash of their content. A name exists only if the complete file is on disk. */
export interface Segments {
  /** Returns its size on disk. The same content is written once. */
  put(sha: string, raw: Uint8Array): number;
  remove(sha: string): void;
  /** The names in one of the `SEGMENT_FOLDERS` folders, including partial files. */
  names(index: number): readonly string[];
  removeName(index: number, name: string): void;
}

export const SEGMENT_FOLDERS = 256;

export const shaOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

export function openSegments(folder: string): Segments {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return {
    put: (sha, raw) => put(folder, sha, raw),
    remove: (sha) => rmSync(segmentPath(folder, sha), { force: true }),
    names: (index) => namesIn(join(folder, folderName(index))),
    removeName: (index, name) => rmSync(join(folder, folderName(index), name), { force: true }),
  };
}

export type Segment = { readonly raw: Buffer } | { readonly damage: 'missing' | 'damaged' };

export function readSegment(folder: string, sha: string): Segment {
  try {
    const raw = brotliDecompressSync(readFileSync(segmentPath(folder, sha)));
    return shaOf(raw) === sha ? { raw } : { damage: 'damaged' };
  } catch (error) {
    return { damage: codeOf(error) === 'ENOENT' ? 'missing' : 'damaged' };
  }
}

export const shaOfName = (name: string): string | undefined => /^([0-9a-f]{64})\.br$/.exec(name)?.[1];

const folderName = (index: number): string => index.toString(16).padStart(2, '0');
const segmentPath = (folder: string, sha: string): string => join(folder, sha.slice(0, 2), `${sha}.br`);

function put(folder: string, sha: string, raw: Uint8Array): number {
  const path = segmentPath(folder, sha);
  // A segment under its final name is complete: a kill before the rename leaves only the `.new` file.
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat !== undefined && stat.size > 0) return stat.size;
  const packed = pack(raw);
  makeFolder(dirname(path));
  writeSynced(`${path}.new`, packed);
  renameSync(`${path}.new`, path);
  syncFolder(dirname(path));
  return packed.length;
}

/** Level 4: smaller than gzip 6, at the speed of gzip 1 (docs/decisions/0008-kept-copies.md). */
function pack(raw: Uint8Array): Buffer {
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: 4,
    [constants.BROTLI_PARAM_LGWIN]: 20,
    [constants.BROTLI_PARAM_SIZE_HINT]: raw.length,
  };
  return brotliCompressSync(raw, { params });
}

export function writeSynced(path: string, bytes: Uint8Array): void {
  const fd = openSync(path, 'w', 0o600);
  try {
    for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at);
    fsyncSync(fd);
  } catch (error) {
    rmSync(path, { force: true });
    throw error;
  } finally {
    closeSync(fd);
  }
}

/** A new name survives a power loss only if its folder is synced as well. */
export function syncFolder(path: string): void {
  const fd = openSync(path, 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  }
}

export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
