import { closeSync, fsyncSync, linkSync, lstatSync, mkdirSync, openSync, rmSync, type Stats, statSync, utimesSync, writeSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { RestoreAnswer } from '../../protocol/api/archive.ts';
import type { SessionId } from '../../protocol/ids.ts';
import { fileBytes } from '../records/record-bytes.ts';
import { isBelow } from './below.ts';
import { IN_DANGER_MS } from './due.ts';
import { type KeeperOptions, NotRestored } from './keep.ts';
import type { KeptFile, Piece } from './kept-index.ts';
import { codeOf, readSegment, shaOf, syncFolder } from './segments.ts';
import type { Store } from './store.ts';

/** Puts the files of a session back where they lay. The only code that ever writes into an agent's folder; it never replaces a file that is there. */
export function restore(store: Store, { roots, now }: Pick<KeeperOptions, 'roots' | 'now'>, sessionId: SessionId, numbers?: readonly number[]): RestoreAnswer {
  const wanted = filesOf(store, sessionId, numbers);
  // All are looked at before the first is written: a person gets the whole session, or the reason why not.
  const missing = wanted.filter((file) => isMissing(store, roots(file.agent), file));
  if (missing.length === 0) throw new NotRestored(`Nothing has to be restored: ${wanted[0]?.path} is where it was, as it was.`);
  for (const file of missing) putBack(store, file, now());
  return { sessionId, paths: missing.map((file) => file.path), bytes: missing.reduce((sum, file) => sum + file.bytes, 0) };
}

const IN_A_DATABASE =
  'This conversation lies in a database of its agent. A copy of its lines is kept, ' +
  'but nobody except the agent writes to that database, so it is not put back.';

function filesOf({ index }: Store, session: SessionId, numbers: readonly number[] | undefined): readonly KeptFile[] {
  const all = index.ofSession(session);
  if (all.length === 0) throw new NotRestored('No copy is kept of this session.');
  const files = all.filter((file) => (numbers === undefined ? file.isCurrent : numbers.some((one) => index.numbered(one, file.path)?.key === file.key)));
  if (files.length === 0) throw new NotRestored('No copy is kept of this session as it was then.');
  if (files.every((file) => file.kind === 'rows')) throw new NotRestored(IN_A_DATABASE);
  return files.filter((file) => file.kind !== 'rows');
}

/** False when the very same file is there; throws when it may not be put back. */
function isMissing(store: Store, roots: readonly string[], file: KeptFile): boolean {
  if (!roots.some((root) => resolve(root) === file.root)) {
    throw new NotRestored(`${file.path} is not put back: ${file.root} is no folder of its agent any more.`);
  }
  if (!isBelow(file.root, dirname(file.path))) throw new NotRestored(`${file.path} is not put back: a link in its path leads out of ${file.root}.`);
  const there = statOf(file.path);
  if (there !== undefined && isSame(store, file, there)) return false;
  if (there !== undefined) {
    throw new NotRestored(`${file.path} is not put back: another file is there, and it is never replaced. Move it away first, then restore again.`);
  }
  checkWhole(store, file);
  return true;
}

function checkWhole(store: Store, file: KeptFile): void {
  if (!file.isWhole) {
    throw new NotRestored(`${file.path} is not put back: only its first ${file.bytes} bytes were copied before it went. They can be read here.`);
  }
  const lost = store.index.piecesOf(file.key).filter((piece) => 'damage' in readSegment(store.segmentsFolder, piece.sha));
  if (lost.length === 0) return;
  const bytes = lost.reduce((sum, piece) => sum + piece.bytes, 0);
  throw new NotRestored(`${file.path} is not put back: ${bytes} of ${file.bytes} bytes of its copy are damaged. The rest can be read here.`);
}

function isSame(store: Store, file: KeptFile, there: Stats): boolean {
  if (!there.isFile() || there.size !== file.bytes) return false;
  const source = fileBytes(file.path);
  try {
    return store.index.piecesOf(file.key).every((piece) => shaOf(source.read(piece.fromByte, piece.fromByte + piece.bytes)) === piece.sha);
  } finally {
    source.close();
  }
}

function putBack(store: Store, file: KeptFile, now: number): void {
  const folder = dirname(file.path);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const beside = join(folder, `.${basename(file.path)}.signalbox-restoring`);
  rmSync(beside, { force: true });
  try {
    writePieces(store, beside, store.index.piecesOf(file.key));
    const mtimeMs = mtimeFor(file, now);
    utimesSync(beside, mtimeMs / 1000, mtimeMs / 1000);
    appear(beside, file.path);
  } finally {
    rmSync(beside, { force: true });
  }
  syncFolder(folder);
  const { ino, mtimeMs } = statSync(file.path);
  store.transaction(() => store.index.touch(file, mtimeMs, ino));
}

/** As old as it was, unless its CLI would delete it again: Claude Code 2.1.197 and 2.1.325 clear old records 12 s after any start. */
const mtimeFor = (file: KeptFile, now: number): number => (now - file.mtimeMs > IN_DANGER_MS ? now : file.mtimeMs);

function writePieces(store: Store, path: string, pieces: readonly Piece[]): void {
  const fd = openSync(path, 'wx', 0o600);
  try {
    for (const piece of pieces) {
      const segment = readSegment(store.segmentsFolder, piece.sha);
      if ('damage' in segment) throw new NotRestored(`${path} is not put back: its copy is damaged.`);
      for (let at = 0; at < segment.raw.length; ) at += writeSync(fd, segment.raw, at);
    }
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** A second name instead of a rename, since a rename would replace what another program put there in this very moment. */
function appear(beside: string, path: string): void {
  try {
    linkSync(beside, path);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
    throw new NotRestored(`${path} is not put back: another file came there just now, and it is never replaced.`, { cause: error });
  }
}

const statOf = (path: string): Stats | undefined => lstatSync(path, { throwIfNoEntry: false });
