import { existsSync } from 'node:fs';
import { lstat, readdir, rm } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { isInside } from '../../folders/system-folders.ts';
import type { LeftOut } from '../../protocol/event.ts';
import { runGit } from '../run-git.ts';
import { compact } from './pin.ts';
import { runSideGit, type SideAnswer } from './run-side-git.ts';
import type { SideRepository } from './side-repository.ts';

/** What a checkpoint may cost. Beyond it, checkpoints of the folder are off until a person turns them on again. */
export interface CheckpointBounds {
  readonly untrackedFiles: number;
  /** A larger file that the person's repository doesn't track is left out, by name. */
  readonly fileBytes: number;
  /** New and changed files together. */
  readonly newBytes: number;
  /** Slower than this several times in a row; once is a busy machine. */
  readonly ms: number;
  /** Slower than this is stopped. */
  readonly hardMs: number;
  /** The first checkpoint of a folder reads every file. */
  readonly firstMs: number;
}

export const BOUNDS: CheckpointBounds = {
  untrackedFiles: 50_000,
  fileBytes: 10 * 1024 * 1024,
  newBytes: 256 * 1024 * 1024,
  ms: 2_000,
  hardMs: 10_000,
  firstMs: 60_000,
};

export type Staged =
  | { readonly tree: string; readonly left: readonly LeftOut[]; readonly tooSlow?: string | undefined }
  /** Over a bound: off until a person turns checkpoints on again. */
  | { readonly off: string }
  | { readonly failed: string };

const NAMES_BYTES = 64 * 1024 * 1024;

/** Brings the index up to the bytes on disk and returns the tree of the session's folder. Writes only in the side repository. */
export async function stageFolder(side: SideRepository, bounds: CheckpointBounds, include: readonly string[] = []): Promise<Staged> {
  const started = Date.now();
  const isFirst = !existsSync(join(side.path, 'index'));
  const bytesBefore = isFirst ? await bytesIn(side.path) : 0;
  const found = await candidates(side, bounds, isFirst);
  if ('off' in found || 'failed' in found) return found;
  const limitMs = isFirst ? bounds.firstMs : bounds.hardMs;
  const added = await addAll(side, found.left, limitMs);
  if ('off' in added || 'failed' in added) return added;
  if (isFirst || include.length > 0) await addIgnored(side, isFirst, include);
  const tree = await treeOf(side);
  if (!tree.ok) return { failed: tree.words };
  const grown = isFirst ? (await bytesIn(side.path)) - bytesBefore : 0;
  if (grown > bounds.newBytes * 2) return tooLarge(side, bounds, grown);
  const ms = Date.now() - started;
  const tooSlow = !isFirst && ms > bounds.ms ? `checkpoints take longer than ${bounds.ms / 1000} s; the last one took ${(ms / 1000).toFixed(1)} s` : undefined;
  return { tree: tree.out.toString('utf8').trim(), left: added.left, tooSlow };
}

interface Candidates {
  readonly left: readonly LeftOut[];
}

/** New and changed files are counted and measured before a single byte is stored. */
async function candidates(side: SideRepository, bounds: CheckpointBounds, isFirst: boolean): Promise<Candidates | { off: string } | { failed: string }> {
  const limitMs = isFirst ? bounds.firstMs : bounds.hardMs;
  const listed = await listNew(side, bounds, isFirst, limitMs);
  if (!listed.ok && listed.why === 'too-slow') return { off: `listing the new files took longer than ${limitMs / 1000} s` };
  if (!listed.ok && listed.why === 'too-much') return { off: TOO_MANY(bounds) };
  if (!listed.ok) return { failed: listed.words };
  const names = [...new Set(listed.out.toString('utf8').split('\0').slice(0, -1))].filter((name) => !name.endsWith('/'));
  if (names.length > bounds.untrackedFiles) return { off: TOO_MANY(bounds) };
  const sizes = await sizesOf(side, names);
  const large = sizes.filter(([, bytes]) => bytes > bounds.fileBytes).map(([name]) => name);
  const tracked = await trackedAmong(side, large);
  const left = large.filter((name) => !tracked.has(name));
  const isLeft = new Set(left);
  const total = sizes.reduce((sum, [name, bytes]) => (isLeft.has(name) ? sum : sum + bytes), 0);
  if (total > bounds.newBytes) return { off: `the new files take ${megabytes(total)}, more than ${megabytes(bounds.newBytes)}` };
  return { left: left.map((path) => ({ path, why: `larger than ${megabytes(bounds.fileBytes)}` })) };
}

const TOO_MANY = (bounds: CheckpointBounds): string => `the folder has more than ${bounds.untrackedFiles.toLocaleString('en-US')} new files`;
const megabytes = (bytes: number): string => `${Math.round(bytes / 1024 / 1024).toLocaleString('en-US')} MB`;

/** The first time, the person's own index knows what is new; later ours does. Names are relative to the top. */
async function listNew(side: SideRepository, bounds: CheckpointBounds, isFirst: boolean, limitMs: number): Promise<SideAnswer> {
  // A name is rarely longer than this; the count is checked once more.
  const mostBytes = Math.min(NAMES_BYTES, bounds.untrackedFiles * 400);
  const paths = ['--', ...pathspecs(side, [])];
  if (!isFirst || side.user === undefined) {
    return runSideGit(side, ['ls-files', '-z', '-o', '-m', '--exclude-standard', ...paths], { mostBytes, limitMs });
  }
  const listed = await runGit({ ...side.user, cwd: side.top }, ['ls-files', '-z', '-o', '-m', '--exclude-standard', ...paths], mostBytes);
  if (!listed.ok) return { ok: false, why: 'failed', words: listed.words, errors: '' };
  return listed.isCut ? { ok: false, why: 'too-much', words: '', errors: '' } : { ok: true, out: listed.out };
}

/** In batches, so that the server stays free for other work. */
async function sizesOf(side: SideRepository, names: readonly string[]): Promise<(readonly [string, number])[]> {
  const sizes: (readonly [string, number])[] = [];
  for (let at = 0; at < names.length; at += 500) {
    const batch = names.slice(at, at + 500);
    const found = await Promise.all(batch.map((name) => lstat(join(side.top, name)).catch(() => undefined)));
    found.forEach((stat, n) => {
      const name = batch[n];
      if (name !== undefined && stat?.isFile()) sizes.push([name, stat.size]);
    });
  }
  return sizes;
}

async function trackedAmong(side: SideRepository, names: readonly string[]): Promise<ReadonlySet<string>> {
  if (names.length === 0 || side.user === undefined) return new Set();
  const listed = await runGit({ ...side.user, cwd: side.top }, ['--literal-pathspecs', 'ls-files', '-z', '--', ...names.slice(0, 1000)], NAMES_BYTES);
  return new Set(listed.ok ? listed.out.toString('utf8').split('\0') : []);
}

/** The session's folder without what is left out. Our own data folder is never part of it. */
function pathspecs(side: SideRepository, left: readonly string[]): readonly string[] {
  const data = isInside(side.dataFolder, side.folder) ? [relative(side.top, side.dataFolder)] : [];
  const inside = side.prefix === '' ? '.' : `:(literal)${side.prefix.slice(0, -1)}`;
  return [inside, ...[...data, ...left].map((path) => `:(exclude,literal)${path}`)];
}

/** A file that can't be read and a nested repository without a commit make git add nothing at all: they are left out, by name. */
const CANNOT_ADD = [
  { words: /^error: '(.+)\/' does not have a commit checked out$/gm, why: 'a nested repository without a commit' },
  { words: /^error: unable to index file '(.+)'$/gm, why: 'it can’t be read' },
] as const;
const MOST_RETRIES = 20;

async function addAll(side: SideRepository, known: readonly LeftOut[], limitMs: number): Promise<Candidates | { off: string } | { failed: string }> {
  let left = known;
  const until = Date.now() + limitMs;
  for (let tries = 0; tries < MOST_RETRIES; tries++) {
    const names = left.map(({ path }) => path);
    if (names.length > 0) await runSideGit(side, ['update-index', '--force-remove', '-z', '--stdin'], { input: `${names.join('\0')}\0` });
    const input = `${pathspecs(side, names).join('\0')}\0`;
    const added = await runSideGit(side, ['add', '-A', '--pathspec-from-file=-', '--pathspec-file-nul'], { input, limitMs: Math.max(1, until - Date.now()) });
    if (added.ok || /did not match any files/.test(added.errors)) return { left: left.map(({ path, why }) => ({ path: below(side, path), why })) };
    await rm(join(side.path, 'index.lock'), { force: true });
    if (added.why === 'too-slow') return { off: `reading the changed files took longer than ${(limitMs / 1000).toFixed(0)} s` };
    const unable = CANNOT_ADD.flatMap(({ words, why }) => [...added.errors.matchAll(words)].map(([, path = '']) => ({ path, why })));
    if (unable.length === 0) return { failed: added.words };
    left = [...left, ...unable];
  }
  return { failed: 'too many files can’t be read.' };
}

const below = (side: SideRepository, path: string): string => (path.startsWith(side.prefix) ? path.slice(side.prefix.length) : path);

/** Files that are tracked although they are ignored, which `add -A` passes over, and files that somebody asked for by name. */
async function addIgnored(side: SideRepository, isFirst: boolean, include: readonly string[]): Promise<void> {
  const listed =
    isFirst && side.user !== undefined
      ? await runGit({ ...side.user, cwd: side.top }, ['ls-files', '-z', '-c', '-i', '--exclude-standard', '--', ...pathspecs(side, [])], NAMES_BYTES)
      : undefined;
  const tracked = listed?.ok ? listed.out.toString('utf8').split('\0').slice(0, -1) : [];
  const wanted = [...tracked, ...include.map((path) => `${side.prefix}${path}`)];
  const there = await Promise.all(wanted.map((name) => lstat(join(side.top, name)).catch(() => undefined)));
  const names = wanted.filter((_, at) => there[at]?.isFile() || there[at]?.isSymbolicLink());
  if (names.length === 0) return;
  await runSideGit(side, ['--literal-pathspecs', 'add', '-f', '--pathspec-from-file=-', '--pathspec-file-nul'], { input: `${names.join('\0')}\0` });
}

async function treeOf(side: SideRepository): Promise<SideAnswer> {
  const tree = await runSideGit(side, ['write-tree', ...(side.prefix === '' ? [] : [`--prefix=${side.prefix}`])]);
  if (tree.ok || !/prefix .* not found/.test(tree.errors)) return tree;
  return runSideGit(side, ['mktree', '-z']);
}

/** What was read the first time takes too much space, for example files that the person's repository stores elsewhere: nothing of it is kept. */
async function tooLarge(side: SideRepository, bounds: CheckpointBounds, bytes: number): Promise<{ off: string }> {
  await compact(side);
  return { off: `its files would take ${megabytes(bytes)} here, more than ${megabytes(bounds.newBytes * 2)}` };
}

/** Bytes on disk of everything below a folder. */
export async function bytesIn(folder: string): Promise<number> {
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  let bytes = 0;
  for (let at = 0; at < names.length; at += 500) {
    const stats = await Promise.all(names.slice(at, at + 500).map((name) => lstat(join(folder, name)).catch(() => undefined)));
    for (const stat of stats) bytes += stat === undefined ? 0 : stat.blocks * 512;
  }
  return bytes;
}
