import { createHash, randomBytes } from 'node:crypto';
import { constants, createReadStream, type Stats } from 'node:fs';
import { lstat, open, readdir, readlink, rename, rmdir, symlink, unlink } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { openParent, type PinnedFolder } from './side/pinned-folder.ts';
import { runSideGit } from './side/run-side-git.ts';
import type { SideRepository } from './side/side-repository.ts';
import { isSame, type TreeEntry } from './side/trees.ts';

/** One file to write: what it must be now, and what it becomes. */
export interface FileWrite {
  readonly path: string;
  readonly now: TreeEntry | undefined;
  readonly target: TreeEntry | undefined;
}

export interface FileOutcome {
  readonly path: string;
  readonly result: 'restored' | 'deleted' | 'refused';
  readonly why?: string;
}

const TEMPORARY = /^\.signalbox-revert-[0-9a-f]{16}$/;
/** Content read at once. A larger file goes straight to disk. */
const BATCH_BYTES = 32 * 1024 * 1024;

/** Deletes and restores files below the session's folder. Each is compared first and then replaced in one step, so that it can be repeated after a kill. */
export async function writeFiles(side: SideRepository, writes: readonly FileWrite[], isStopped: () => boolean = () => false): Promise<readonly FileOutcome[]> {
  const outcomes: FileOutcome[] = [];
  const cleaned = new Set<string>();
  const deletions = writes.filter(({ target }) => target === undefined).sort((a, b) => (a.path < b.path ? 1 : -1));
  for (const write of deletions) {
    if (isStopped()) return outcomes;
    outcomes.push(await deleteFile(side, write, cleaned));
  }
  for (const batch of await inBatches(
    side,
    writes.filter(({ target }) => target !== undefined),
  )) {
    const contents = await contentsOf(side, batch);
    for (const write of batch) {
      if (isStopped()) return outcomes;
      outcomes.push(await restoreFile(side, write, contents, cleaned));
    }
  }
  return outcomes;
}

const refused = (path: string, why: string): FileOutcome => ({ path, result: 'refused', why });

async function deleteFile(side: SideRepository, { path, now }: FileWrite, cleaned: Set<string>): Promise<FileOutcome> {
  const opened = await openParent(side.folder, path, false);
  if ('why' in opened) return refused(path, opened.why);
  if ('absent' in opened) return { path, result: 'deleted' };
  try {
    await removeTemporary(opened.folder, dirname(path), cleaned);
    const found = await onDisk(opened.folder, basename(path), now);
    if (found === 'other') return refused(path, 'it is no longer a file');
    if (found !== undefined && !isSame(found.entry, now)) return refused(path, CHANGED);
    if (found !== undefined) await unlink(opened.folder.at(basename(path)));
  } catch (error) {
    return refused(path, reasonOf(error));
  } finally {
    await opened.folder.close();
  }
  await removeEmptyFolders(side, dirname(path));
  return { path, result: 'deleted' };
}

const CHANGED = 'it changed a moment ago';

async function removeEmptyFolders(side: SideRepository, folder: string): Promise<void> {
  if (folder === '.') return;
  const opened = await openParent(side.folder, folder, false);
  if (!('folder' in opened)) return;
  const isGone = await rmdir(opened.folder.at(basename(folder))).then(
    () => true,
    () => false,
  );
  await opened.folder.close();
  if (isGone) await removeEmptyFolders(side, dirname(folder));
}

type Contents = ReadonlyMap<string, Buffer>;

async function restoreFile(side: SideRepository, write: FileWrite, contents: Contents, cleaned: Set<string>): Promise<FileOutcome> {
  const { path, now, target } = write;
  if (target === undefined) return refused(path, 'nothing is known about it');
  const opened = await openParent(side.folder, path, true);
  if (!('folder' in opened)) return refused(path, 'why' in opened ? opened.why : 'its folder is gone');
  try {
    await removeTemporary(opened.folder, dirname(path), cleaned);
    const found = await onDisk(opened.folder, basename(path), now ?? target);
    if (found === 'other') return refused(path, 'a folder or something else that isn’t a file is in the way');
    if (isSame(found?.entry, target)) return { path, result: 'restored' };
    if (!isSame(found?.entry, now)) return refused(path, found === undefined || now !== undefined ? CHANGED : 'it exists and is not covered by checkpoints');
    return await replace(side, opened.folder, path, target, found?.stat, contents);
  } catch (error) {
    return refused(path, reasonOf(error));
  } finally {
    await opened.folder.close();
  }
}

/** Writes under a temporary name and renames, so that the file is always whole. */
async function replace(
  side: SideRepository,
  folder: PinnedFolder,
  path: string,
  target: TreeEntry,
  before: Stats | undefined,
  contents: Contents,
): Promise<FileOutcome> {
  const temporary = folder.at(`.signalbox-revert-${randomBytes(8).toString('hex')}`);
  const content = contents.get(target.oid);
  if (target.mode === '120000') {
    if (content === undefined) return refused(path, GONE);
    await symlink(content, temporary);
  } else {
    const handle = await open(
      temporary,
      constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW,
      target.mode === '100755' ? 0o777 : 0o666,
    );
    try {
      if (before?.isFile()) await handle.chmod(modeLike(before.mode, target.mode === '100755'));
      const isWritten =
        content === undefined ? (await runSideGit(side, ['cat-file', 'blob', target.oid], { outFd: handle.fd })).ok : await written(handle, content);
      if (!isWritten) {
        await unlink(temporary);
        return refused(path, GONE);
      }
    } finally {
      await handle.close();
    }
  }
  await rename(temporary, folder.at(basename(path)));
  return { path, result: 'restored' };
}

const GONE = 'its content is no longer stored: the repository deleted it';

async function written(handle: { writeFile(data: Buffer): Promise<void> }, content: Buffer): Promise<true> {
  await handle.writeFile(content);
  return true;
}

/** Git keeps only the executable bit; the rest stays as it was. */
const modeLike = (mode: number, isExecutable: boolean): number => (isExecutable ? mode | ((mode & 0o444) >> 2) : mode & ~0o111) & 0o777;

/** What a killed server left in this folder. */
async function removeTemporary(folder: PinnedFolder, path: string, cleaned: Set<string>): Promise<void> {
  if (cleaned.has(path)) return;
  cleaned.add(path);
  for (const name of await readdir(folder.at('.'))) if (TEMPORARY.test(name)) await unlink(folder.at(name));
}

/** The file as git would see it, or undefined if there is none. `like` says which hash is used. */
async function onDisk(folder: PinnedFolder, name: string, like: TreeEntry | undefined): Promise<{ entry: TreeEntry; stat: Stats } | 'other' | undefined> {
  const path = folder.at(name);
  const stat = await lstat(path).catch(() => undefined);
  if (stat === undefined) return undefined;
  const algorithm = like?.oid.length === 64 ? 'sha256' : 'sha1';
  if (stat.isSymbolicLink()) {
    const content = await readlink(path, 'buffer');
    return { entry: { mode: '120000', oid: createHash(algorithm).update(`blob ${content.length}\0`).update(content).digest('hex') }, stat };
  }
  if (!stat.isFile()) return 'other';
  const hash = createHash(algorithm).update(`blob ${stat.size}\0`);
  for await (const chunk of createReadStream(path)) hash.update(chunk);
  return { entry: { mode: (stat.mode & 0o100) === 0 ? '100644' : '100755', oid: hash.digest('hex') }, stat };
}

async function inBatches(side: SideRepository, writes: readonly FileWrite[]): Promise<readonly (readonly FileWrite[])[]> {
  const sizes = await sizesOf(side, writes);
  const batches: FileWrite[][] = [];
  let room = 0;
  for (const write of writes) {
    const bytes = sizes.get(write.target?.oid ?? '') ?? 0;
    if (bytes > room || batches.length === 0) {
      batches.push([]);
      room = BATCH_BYTES;
    }
    batches.at(-1)?.push(write);
    room -= bytes;
  }
  return batches;
}

async function sizesOf(side: SideRepository, writes: readonly FileWrite[]): Promise<ReadonlyMap<string, number>> {
  const input = `${writes.map(({ target }) => target?.oid ?? '').join('\n')}\n`;
  const found = writes.length === 0 ? undefined : await runSideGit(side, ['cat-file', '--batch-check=%(objectname) %(objectsize)'], { input });
  const lines = found?.ok ? found.out.toString('utf8').split('\n') : [];
  return new Map(lines.map((line) => [line.split(' ')[0] ?? '', Number(line.split(' ')[1]) || 0]));
}

/** The content of a batch. A file that alone is larger than a batch is not read here. */
async function contentsOf(side: SideRepository, batch: readonly FileWrite[]): Promise<Contents> {
  const oids = [...new Set(batch.flatMap(({ target }) => target?.oid ?? []))];
  const found = await runSideGit(side, ['cat-file', '--batch'], { input: `${oids.join('\n')}\n`, mostBytes: BATCH_BYTES + oids.length * 100 });
  return found.ok ? readBatch(found.out) : new Map();
}

export function readBatch(out: Buffer): Contents {
  const contents = new Map<string, Buffer>();
  for (let at = 0; at < out.length; ) {
    const end = out.indexOf(10, at);
    if (end < 0) break;
    const [oid = '', type, size] = out.toString('latin1', at, end).split(' ');
    at = end + 1;
    if (type !== 'blob') continue;
    contents.set(oid, out.subarray(at, at + Number(size)));
    at += Number(size) + 1;
  }
  return contents;
}

const reasonOf = (error: unknown): string => {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'EACCES' || code === 'EPERM') return 'it can’t be written: permission denied';
  if (code === 'ENOSPC') return 'the disk is full';
  return error instanceof Error ? error.message : String(error);
};
