import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { runGit } from '../run-git.ts';
import { runSideGit } from './run-side-git.ts';
import type { SideRepository } from './side-repository.ts';
import { differences } from './trees.ts';

/** A small folder is kept whole; of a large one, what its checkpoints change. */
const WHOLE_FILES = 20_000;
const WHOLE_BYTES = 64 * 1024 * 1024;

/**
 * Packs into the side repository what a checkpoint needs and only the person's repository has, because their `gc` may delete it there: every folder's listing,
 * and the old and new content of what changed since the checkpoint before. `whole`: everything.
 */
export async function pin(side: SideRepository, tree: string, before: string | undefined, whole = false): Promise<string | undefined> {
  if (side.objects === undefined) return undefined;
  const trees = await runSideGit(side, [
    'rev-list',
    '--objects',
    '--no-object-names',
    '--filter=blob:none',
    tree,
    ...(before === undefined ? [] : [`^${before}`]),
  ]);
  if (!trees.ok) return trees.words;
  const blobs = before === undefined ? await firstBlobs(side, tree, whole) : await changedBlobs(side, before, tree);
  const wanted = [...new Set([...trees.out.toString('utf8').split('\n'), ...blobs].filter((oid) => oid !== ''))];
  const missing = await notOurs(side, wanted);
  if (missing.length === 0) return undefined;
  const packed = await runSideGit(side, ['pack-objects', '-q', `${side.path}/objects/pack/pack`], { input: `${missing.join('\n')}\n` });
  return packed.ok ? undefined : packed.words;
}

async function firstBlobs(side: SideRepository, tree: string, whole: boolean): Promise<readonly string[]> {
  const listed = await runSideGit(side, ['ls-tree', '-r', '-z', '--format=%(objecttype) %(objectname)', tree]);
  const all = listed.ok
    ? listed.out
        .toString('utf8')
        .split('\0')
        .flatMap((line) => (line.startsWith('blob ') ? [line.slice(5)] : []))
    : [];
  if (whole || (all.length <= WHOLE_FILES && (await packedBytes(side, all)) <= WHOLE_BYTES)) return all;
  const head = await headTree(side);
  return head === undefined ? [] : changedBlobs(side, head, tree);
}

async function packedBytes(side: SideRepository, oids: readonly string[]): Promise<number> {
  const sizes = await runSideGit(side, ['cat-file', '--batch-check=%(objectsize:disk)'], { input: `${oids.join('\n')}\n` });
  return sizes.ok
    ? sizes.out
        .toString('utf8')
        .split('\n')
        .reduce((sum, line) => sum + (Number(line) || 0), 0)
    : Number.POSITIVE_INFINITY;
}

/** The committed state of the session's folder. */
async function headTree(side: SideRepository): Promise<string | undefined> {
  const head = await headCommit(side);
  if (head === undefined) return undefined;
  const tree = await runSideGit(side, ['rev-parse', '--verify', '--quiet', '--end-of-options', `${head}:${side.prefix.replace(/\/$/, '')}`]);
  return tree.ok ? tree.out.toString('utf8').trim() : undefined;
}

/** The commit that the person's repository has checked out. */
export async function headCommit(side: SideRepository): Promise<string | undefined> {
  if (side.user === undefined) return undefined;
  const head = await runGit(side.user, ['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'], 4096);
  return head.ok ? head.out.toString('utf8').trim() : undefined;
}

async function changedBlobs(side: SideRepository, from: string, to: string): Promise<readonly string[]> {
  const found = (await differences(side, from, to)) ?? [];
  return found.flatMap(({ old, new: now }) => [old, now].flatMap((one) => (one === undefined || one.mode === '160000' ? [] : [one.oid])));
}

/** Objects that are not in the side repository itself, but exist. */
async function notOurs(side: SideRepository, oids: readonly string[]): Promise<readonly string[]> {
  const input = `${oids.join('\n')}\n`;
  const ours = await runSideGit(side, ['cat-file', '--batch-check=%(objectname)'], { input, alone: true });
  const absent = missingIn(ours.ok ? ours.out : Buffer.alloc(0));
  if (absent.length === 0) return [];
  const anywhere = await runSideGit(side, ['cat-file', '--batch-check=%(objectname)'], { input: `${absent.join('\n')}\n` });
  const gone = new Set(missingIn(anywhere.ok ? anywhere.out : Buffer.alloc(0)));
  return absent.filter((oid) => !gone.has(oid));
}

const missingIn = (out: Buffer): string[] =>
  out
    .toString('utf8')
    .split('\n')
    .flatMap((line) => (line.endsWith(' missing') ? [line.slice(0, -' missing'.length)] : []));

/** Packs loose objects once there are many: each takes a block on disk. Sees only our own objects, so nothing borrowed is taken for ours. */
export async function packLoose(side: SideRepository, atLeast: number): Promise<void> {
  const loose = await looseObjects(side);
  if (loose.length < atLeast) return;
  const packed = await runSideGit(side, ['pack-objects', '-q', `${side.path}/objects/pack/pack`], { input: `${loose.join('\n')}\n`, alone: true });
  if (!packed.ok) return;
  await runSideGit(side, ['prune-packed', '-q'], { alone: true });
  await runSideGit(side, ['pack-refs', '--all'], { alone: true });
}

async function looseObjects(side: SideRepository): Promise<readonly string[]> {
  const folders = (await readdir(join(side.path, 'objects')).catch(() => [])).filter((name) => /^[0-9a-f]{2}$/.test(name));
  const lists = await Promise.all(folders.map(async (name) => (await readdir(join(side.path, 'objects', name))).map((rest) => `${name}${rest}`)));
  return lists.flat().filter((oid) => /^[0-9a-f]{40,64}$/.test(oid));
}

/** Frees what no checkpoint needs anymore: everything still reachable goes into one pack, and the rest is deleted. */
export async function compact(side: SideRepository): Promise<boolean> {
  const reached = await runSideGit(side, ['rev-list', '--objects', '--no-object-names', '--all', '--missing=allow-any']);
  const own = await runSideGit(side, ['cat-file', '--batch-all-objects', '--batch-check=%(objectname)', '--unordered'], { alone: true });
  if (!reached.ok || !own.ok) return false;
  const ours = new Set(own.out.toString('utf8').split('\n'));
  const kept = [...new Set(reached.out.toString('utf8').split('\n'))].filter((oid) => oid !== '' && ours.has(oid));
  const folder = join(side.path, 'objects', 'pack');
  const before = await readdir(folder).catch(() => []);
  const loose = await looseObjects(side);
  const name = kept.length === 0 ? undefined : await runSideGit(side, ['pack-objects', '-q', `${folder}/pack`], { input: `${kept.join('\n')}\n`, alone: true });
  if (name?.ok === false) return false;
  const fresh = name === undefined ? '' : name.out.toString('utf8').trim();
  // The index of a pack goes first: a pack without one is not read.
  const old = before.filter((file) => fresh === '' || !file.includes(fresh)).sort((a, b) => Number(b.endsWith('.idx')) - Number(a.endsWith('.idx')));
  for (const file of old) await rm(join(folder, file), { force: true });
  for (const oid of loose) await rm(join(side.path, 'objects', oid.slice(0, 2), oid.slice(2)), { force: true });
  // The index of the work tree still names content that was only in it.
  await rm(join(side.path, 'index'), { force: true });
  return true;
}
