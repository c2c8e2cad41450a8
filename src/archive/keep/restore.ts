import { closeSync, fsyncSync, linkSync, lstatSync, mkdirSync, openSync, rmSync, type Stats, statSync, utimesSync, writeSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { RestoreAnswer } from '../../protocol/api/archive.ts';
import type { SessionId } from '../../protocol/ids.ts';
import { fileBytes } from '../records/record-bytes.ts';
import { SOON_DELETED_MS } from './copy-queue.ts';
import { isBelow } from './is-below.ts';
import { type KeeperOptions, NotRestored } from './keep.ts';
import type { KeptFile, Piece } from './kept-index.ts';
import { codeOf, readSegment, shaOf, syncFolder } from './segments.ts';
import type { Store } from './store.ts';

/** Restores the files of a session to where they were. The only code that ever writes into an agent's folder; it never replaces a file. */
export function restore(store: Store, { roots, now }: Pick<KeeperOptions, 'roots' | 'now'>, sessionId: SessionId, numbers?: readonly number[]): RestoreAnswer {
  const wanted = filesOf(store, sessionId, numbers);
  // All are checked before the first is written: a person gets the complete session, or the reason why not.
  const missing = wanted.filter((file) => isMissing(store, roots(file.agent), file));
  if (missing.length === 0) throw new NotRestored(`Nothing to restore: ${wanted[0]?.path} is still there, unchanged.`);
  for (const file of missing) restoreFile(store, file, now());
  return { sessionId, paths: missing.map((file) => file.path), bytes: missing.reduce((sum, file) => sum + file.bytes, 0) };
}

const IN_A_DATABASE =
  'This conversation is in a database of its agent. A copy of its lines is kept, ' + 'but only the agent may write to that database, so it can’t be restored.';

function filesOf({ index }: Store, session: SessionId, numbers: readonly number[] | undefined): readonly KeptFile[] {
  const all = index.ofSession(session);
  if (all.length === 0) throw new NotRestored('There is no copy of this session.');
  const files = all.filter((file) => (numbers === undefined ? file.isCurrent : numbers.some((one) => index.numbered(one, file.path)?.key === file.key)));
  if (files.length === 0) throw new NotRestored('There is no copy of that version of this session.');
  if (files.every((file) => file.kind === 'rows')) throw new NotRestored(IN_A_DATABASE);
  return files.filter((file) => file.kind !== 'rows');
}

/** False if exactly this file exists; throws if it can't be restored. */
function isMissing(store: Store, roots: readonly string[], file: KeptFile): boolean {
  if (!roots.some((root) => resolve(root) === file.root)) {
    throw new NotRestored(`${file.path} was not restored: ${file.root} is no longer a folder of its agent.`);
  }
  if (!isBelow(file.root, dirname(file.path))) throw new NotRestored(`${file.path} was not restored: a link in its path leads out of ${file.root}.`);
  const stat = statOf(file.path);
  if (stat !== undefined && isSame(store, file, stat)) return false;
  if (stat !== undefined) {
    throw new NotRestored(`${file.path} was not restored: another file is there. Move that file away, then restore again.`);
  }
  checkWhole(store, file);
  return true;
}

function checkWhole(store: Store, file: KeptFile): void {
  if (!file.isWhole) {
    throw new NotRestored(`${file.path} was not restored: only its first ${file.bytes} bytes were copied before it was deleted. You can still read them here.`);
  }
  const lost = store.index.piecesOf(file.key).filter((piece) => 'damage' in readSegment(store.segmentsFolder, piece.sha));
  if (lost.length === 0) return;
  const bytes = lost.reduce((sum, piece) => sum + piece.bytes, 0);
  throw new NotRestored(`${file.path} was not restored: ${bytes} of ${file.bytes} bytes of its copy are damaged. You can still read the rest here.`);
}

function isSame(store: Store, file: KeptFile, stat: Stats): boolean {
  if (!stat.isFile() || stat.size !== file.bytes) return false;
  const source = fileBytes(file.path);
  try {
    return store.index.piecesOf(file.key).every((piece) => shaOf(source.read(piece.fromByte, piece.fromByte + piece.bytes)) === piece.sha);
  } finally {
    source.close();
  }
}

function restoreFile(store: Store, file: KeptFile, now: number): void {
  const folder = dirname(file.path);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const temporary = join(folder, `.${basename(file.path)}.signalbox-restoring`);
  rmSync(temporary, { force: true });
  try {
    writePieces(store, temporary, store.index.piecesOf(file.key));
    const mtimeMs = mtimeFor(file, now);
    utimesSync(temporary, mtimeMs / 1000, mtimeMs / 1000);
    publish(temporary, file.path);
  } finally {
    rmSync(temporary, { force: true });
  }
  syncFolder(folder);
  const { ino, mtimeMs } = statSync(file.path);
  store.transaction(() => store.index.touch(file, mtimeMs, ino));
}

/** Its old time, unless its CLI would delete it again: Claude Code 2.1.197 and 2.1.325 delete old records 12 s after any start. */
const mtimeFor = (file: KeptFile, now: number): number => (now - file.mtimeMs > SOON_DELETED_MS ? now : file.mtimeMs);

function writePieces(store: Store, path: string, pieces: readonly Piece[]): void {
  const fd = openSync(path, 'wx', 0o600);
  try {
    for (const piece of pieces) {
      const segment = readSegment(store.segmentsFolder, piece.sha);
      if ('damage' in segment) throw new NotRestored(`${path} was not restored: its copy is damaged.`);
      for (let at = 0; at < segment.raw.length; ) at += writeSync(fd, segment.raw, at);
    }
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** A hard link instead of a rename: a rename would replace a file that another program creates at this moment. */
function publish(temporary: string, path: string): void {
  try {
    linkSync(temporary, path);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
    throw new NotRestored(`${path} was not restored: another file appeared there just now. Move that file away, then restore again.`, { cause: error });
  }
}

const statOf = (path: string): Stats | undefined => lstatSync(path, { throwIfNoEntry: false });
