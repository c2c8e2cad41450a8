import { closeSync, constants, fstatSync, openSync, type Stats } from 'node:fs';
import { dirname } from 'node:path';
import { readAt } from '../records/record-bytes.ts';
import { cut, SEGMENT } from './cut-segments.ts';
import { isBelow } from './is-below.ts';
import type { KeptFile, Piece, Wanted } from './kept-index.ts';
import { shaOf } from './segments.ts';
import type { Store } from './store.ts';

/** Copies one more segment of a file; true when the copy is complete. */
export function copyFile(store: Store, wanted: Wanted): boolean {
  const fd = openBelow(wanted.root, wanted.path);
  try {
    const stat = fstatSync(fd);
    if (!stat.isFile()) throw new Error(`${wanted.path} is no file`);
    const before = store.index.current(wanted.path, wanted.conversation);
    const isContinued = before !== undefined && continues(store, before, fd, stat);
    return isContinued ? copyMore(store, wanted, before, fd, stat) : copyFromStart(store, wanted, before, fd, stat);
  } finally {
    closeSync(fd);
  }
}

/** Never follows a symbolic link, and never blocks on a pipe. */
function openBelow(root: string, path: string): number {
  if (!isBelow(root, dirname(path))) throw new Error(`${path} lies outside of ${root}`);
  return openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
}

/** Whether the file still starts with what was copied. Checking the last piece is enough: these programs only append. */
function continues(store: Store, file: KeptFile, fd: number, stat: Stats): boolean {
  if (stat.ino !== file.ino || stat.size < file.bytes) return false;
  if (stat.mtimeMs === file.mtimeMs) return true;
  const last = store.index.lastPiece(file.key);
  return last === undefined || holds(fd, last);
}

const holds = (fd: number, piece: Piece): boolean => shaOf(readAt(fd, piece.fromByte, piece.fromByte + piece.bytes)) === piece.sha;

function copyMore(store: Store, wanted: Wanted, file: KeptFile, fd: number, stat: Stats): boolean {
  const last = store.index.lastPiece(file.key);
  const fromByte = last?.isOpen ? last.fromByte : file.bytes;
  const raw = readAt(fd, fromByte, Math.min(stat.size, fromByte + SEGMENT.most));
  if (fromByte + raw.length > file.bytes) return addSegment(store, wanted, { fd, stat, fromByte, raw }, () => file);
  return noteUnchanged(store, wanted, stat, () => file);
}

/** A first copy, or one of a file that shrank or was replaced: the earlier copy stays. */
function copyFromStart(store: Store, wanted: Wanted, before: KeptFile | undefined, fd: number, stat: Stats): boolean {
  const startNew = (): KeptFile => store.index.start(wanted, (before?.generation ?? 0) + 1, stat.ino);
  const raw = readAt(fd, 0, Math.min(stat.size, SEGMENT.most));
  if (raw.length > 0) return addSegment(store, wanted, { fd, stat, fromByte: 0, raw }, startNew);
  return noteUnchanged(store, wanted, stat, startNew);
}

function noteUnchanged(store: Store, wanted: Wanted, stat: Stats, fileOf: () => KeptFile): true {
  store.transaction(() => {
    const file = fileOf();
    store.index.touch(file, stat.mtimeMs, stat.ino);
    if (wanted.number !== undefined) store.index.number(wanted.number, file.key);
  });
  return true;
}

interface Read {
  readonly fd: number;
  readonly stat: Stats;
  readonly fromByte: number;
  readonly raw: Buffer;
}

/** The segment is on disk before the index references it; unreferenced segments are removed afterwards. */
function addSegment(store: Store, wanted: Wanted, { fd, stat, fromByte, raw }: Read, fileOf: () => KeptFile): boolean {
  const { length, isOpen } = cut(raw);
  const bytes = raw.subarray(0, length);
  const sha = shaOf(bytes);
  const packed = store.segments.put(sha, bytes);
  const isWhole = fromByte + length >= stat.size;
  const piece = { fromByte, bytes: length, sha, isOpen, firstRow: 0 };
  const unreferenced = store.transaction(() => {
    const file = fileOf();
    if (wanted.number !== undefined) store.index.number(wanted.number, file.key);
    const shas = store.index.grow(file.key, { piece, packed, isWhole, mtimeMs: stat.mtimeMs, ino: stat.ino, lastRow: 0 });
    return isWhole ? [...shas, ...absorbOlder(store, file, fromByte + length, fd)] : shas;
  });
  for (const one of unreferenced) store.segments.remove(one);
  return isWhole;
}

/** An older copy that is a prefix of the newer one is redundant. */
function absorbOlder(store: Store, file: KeptFile, bytes: number, fd: number): readonly string[] {
  const older = store.index.older(file);
  if (older.length === 0) return [];
  const shas = new Map(store.index.piecesOf(file.key).map((piece) => [piece.fromByte, piece.sha]));
  const isPrefix = (one: KeptFile): boolean =>
    one.bytes <= bytes && store.index.piecesOf(one.key).every((piece) => shas.get(piece.fromByte) === piece.sha || (piece.isOpen && holds(fd, piece)));
  return older.filter(isPrefix).flatMap((one) => store.index.absorb(one.key, file.key));
}
