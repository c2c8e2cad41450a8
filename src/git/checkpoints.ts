import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hunkTexts } from '../domain/changes/patch.ts';
import type { CheckpointWhen, LeftOut } from '../protocol/event.ts';
import type { CheckpointId, SessionId } from '../protocol/ids.ts';
import { LIMITS } from '../protocol/limits.ts';
import { type FileOutcome, type FileWrite, writeFiles } from './revert.ts';
import { runGit } from './run-git.ts';
import { type FileVersion, fileTexts, fileVersions } from './side/file-versions.ts';
import { removeLeftLock, waitUntilUnused } from './side/left-lock.ts';
import { compact, headCommit, packLoose, pin } from './side/pin.ts';
import { runSideGit, stopSideGit } from './side/run-side-git.ts';
import { type KnownRepositories, openSide, type SideRepository, sidePath } from './side/side-repository.ts';
import { BOUNDS, bytesIn, type CheckpointBounds, stageFolder } from './side/stage-folder.ts';
import { countLines, differences, type TreeDifference } from './side/trees.ts';

export interface TakeRequest {
  /** The session's real folder. */
  readonly folder: string;
  readonly session: SessionId;
  readonly checkpointId: CheckpointId;
  readonly when: CheckpointWhen;
  /** The commit of this session's checkpoint before. */
  readonly since?: string | undefined;
  /** Ignored files that are stored as well, for what is about to be removed. */
  readonly include?: readonly string[] | undefined;
  /** Called when the files have been read: what changes later is not part of it. */
  readonly onRead?: (() => void) | undefined;
}

export interface Taken {
  readonly commit: string;
  readonly changed: readonly { readonly path: string; readonly added: number; readonly deleted: number }[];
  readonly left: readonly LeftOut[];
  /** It was made, but took too long: further ones are off. */
  readonly off?: string | undefined;
}

/** `off`: until a person turns checkpoints of the folder on again. */
export interface Skipped {
  readonly skipped: string;
  readonly off?: boolean;
}

export const isSkipped = (value: object): value is Skipped => 'skipped' in value;

/** What a checkpoint's commit says about itself, so that a revert never depends on the shortened lists in events. */
export interface CheckpointNote {
  readonly session: string;
  readonly checkpointId: string;
  readonly when: CheckpointWhen;
  readonly left: readonly LeftOut[];
  /** The commit that was checked out in the person's repository. */
  readonly head?: string;
}

/** The state to go back to next to the state on disk. */
export interface Comparison {
  readonly differences: readonly TreeDifference[];
  readonly targetLeft: readonly LeftOut[];
  readonly nowLeft: readonly LeftOut[];
  /** Paths that the ignore files of the target state cover: whether a turn made them is not known. */
  readonly ignoredThen: ReadonlySet<string>;
}

/** Checkpoints of session folders, in side repositories below the data folder. One piece of work at a time for each folder. */
export interface Checkpoints {
  take(request: TakeRequest): Promise<Taken | Skipped>;
  /** Compares a checkpoint with another one, or with the folder as it is; that stores no checkpoint. */
  compare(folder: string, target: string, now?: string): Promise<Comparison | Skipped>;
  /** Differences between pairs of commits, in order; undefined where one can't be read. */
  steps(folder: string, pairs: readonly (readonly [string, string])[]): Promise<readonly (readonly TreeDifference[] | undefined)[]>;
  /** The patch of one file between two checkpoints. */
  patch(folder: string, from: string, to: string, path: string): Promise<{ readonly patch?: string; readonly note?: string }>;
  /** A text file in a checkpoint; undefined if it is not there, too large or no text. */
  text(folder: string, commit: string, path: string): Promise<string | undefined>;
  /** What each checkpoint of the folder holds under the first of these names that is there; no `oid` if none is. */
  versions(folder: string, names: readonly string[]): Promise<readonly FileVersion[]>;
  /** Texts by the names that `versions` gave them; those that are no text or too large are left out. */
  texts(folder: string, oids: readonly string[]): Promise<ReadonlyMap<string, string>>;
  write(folder: string, writes: readonly FileWrite[], isStopped: () => boolean): Promise<readonly FileOutcome[] | Skipped>;
  /** Why checkpoints of this folder are off, if they are. */
  offReason(folder: string): Promise<string | undefined>;
  turnOn(folder: string): Promise<void>;
  /** Deletes these checkpoints of a session, or all of them, and frees their space. */
  forget(folder: string, session: SessionId, ids?: readonly CheckpointId[]): Promise<void>;
  /** Deletes refs that no event names: a server was killed between a checkpoint and its event. */
  removeUnknown(isKnown: (session: string, checkpoint: string) => boolean): Promise<number>;
  /** Bytes of all side repositories. */
  bytes(): Promise<number>;
  /** Ends what is running; nothing half-made counts. */
  stop(): void;
  /** Resolves when nothing is running. */
  idle(): Promise<void>;
}

/** Once is a busy machine. */
const SLOW_IN_A_ROW = 3;
const OLDEST_GIT = [2, 38] as const;
/** Loose objects are packed when there are more than this; looked at every so many checkpoints. */
const LOOSE_OBJECTS = 300;
const LOOK_EVERY = 20;

export function createCheckpoints(dataFolder: string, bounds: CheckpointBounds = BOUNDS): Checkpoints {
  const tails = new Map<string, Promise<unknown>>();
  const repositories: KnownRepositories = new Map();
  const slow = new Map<string, number>();
  let taken = 0;
  let isStopped = false;
  const inTurn = <T>(path: string, work: () => Promise<T>): Promise<T> => {
    const mine = (tails.get(path) ?? Promise.resolve()).then(work, work);
    tails.set(path, mine);
    return mine.finally(() => {
      if (tails.get(path) === mine) tails.delete(path);
    });
  };
  const inSide = <T>(folder: string, work: (side: SideRepository) => Promise<T | Skipped>): Promise<T | Skipped> =>
    inTurn(sidePath(dataFolder, folder), async () => {
      if (isStopped) return { skipped: 'Signalbox is shutting down' };
      const problem = await gitProblem(folder);
      if (problem !== undefined) return { skipped: problem };
      const side = await openSide(dataFolder, folder, repositories).catch((error: Error) => ({ words: error.message }));
      return 'words' in side ? { skipped: side.words } : work(side);
    });
  /** Only what is stored counts: the folder itself may be gone. */
  const inStored = <T>(folder: string, nothing: T, work: (side: SideRepository) => Promise<T>): Promise<T> => {
    const path = sidePath(dataFolder, folder);
    return inTurn(path, async () => (isStopped || !(await isThere(path)) ? nothing : work(bare(path))));
  };
  return {
    take: (request) =>
      inSide(request.folder, async (side) => {
        const made = await take(side, bounds, request, slow);
        taken += 1;
        if (taken % LOOK_EVERY === 0 && !isStopped) await packLoose(side, LOOSE_OBJECTS);
        return made;
      }),
    compare: (folder, target, now) => inSide(folder, (side) => compare(side, bounds, target, now)),
    steps: async (folder, pairs) => {
      const found = await inSide(folder, async (side) => {
        const steps: (readonly TreeDifference[] | undefined)[] = [];
        for (const [from, to] of pairs) steps.push(await differences(side, from, to));
        return steps;
      });
      return isSkipped(found) ? pairs.map(() => undefined) : found;
    },
    patch: async (folder, from, to, path) => {
      const found = await inSide(folder, (side) => patchOf(side, from, to, path));
      return isSkipped(found) ? { note: found.skipped } : found;
    },
    text: async (folder, commit, path) => {
      const found = await inSide(folder, async (side) => ({ text: await textOf(side, commit, path) }));
      return isSkipped(found) ? undefined : found.text;
    },
    versions: (folder, names) => inStored(folder, [], (side) => fileVersions(side, names)),
    texts: (folder, oids) => inStored(folder, new Map(), (side) => fileTexts(side, oids)),
    write: (folder, writes, isCut) => inSide(folder, (side) => writeFiles(side, writes, isCut)),
    offReason: async (folder) => readFile(offFile(sidePath(dataFolder, folder)), 'utf8').catch(() => undefined),
    turnOn: (folder) => rm(offFile(sidePath(dataFolder, folder)), { force: true }),
    forget: (folder, session, ids) => inTurn(sidePath(dataFolder, folder), () => forget(sidePath(dataFolder, folder), session, ids)),
    removeUnknown: async (isKnown) => {
      let removed = 0;
      for (const path of await sidePaths(dataFolder)) removed += await inTurn(path, () => removeUnknown(path, isKnown));
      return removed;
    },
    bytes: () => bytesIn(join(dataFolder, 'checkpoints')),
    stop: () => {
      isStopped = true;
      stopSideGit(dataFolder);
    },
    idle: async () => {
      while (tails.size > 0) await Promise.allSettled(tails.values());
    },
  };
}

let isGitKnown = false;

/** Why git can't be used for this: it is missing, or too old. */
async function gitProblem(folder: string): Promise<string | undefined> {
  const isThere = await stat(folder).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (!isThere) return `the folder ${folder} no longer exists`;
  if (isGitKnown) return undefined;
  const asked = await runGit({ cwd: folder }, ['--version'], 4096);
  if (!asked.ok) return asked.words;
  const [, major = '0', minor = '0'] = /(\d+)\.(\d+)/.exec(asked.out.toString('utf8')) ?? [];
  const isNew = Number(major) > OLDEST_GIT[0] || (Number(major) === OLDEST_GIT[0] && Number(minor) >= OLDEST_GIT[1]);
  isGitKnown = isNew;
  return isNew ? undefined : `git ${major}.${minor} is too old; checkpoints need git ${OLDEST_GIT.join('.')} or newer`;
}

const offFile = (path: string): string => join(path, 'off');

async function take(side: SideRepository, bounds: CheckpointBounds, request: TakeRequest, slow: Map<string, number>): Promise<Taken | Skipped> {
  const { session, checkpointId, when, since } = request;
  const off = await readFile(offFile(side.path), 'utf8').catch(() => undefined);
  if (off !== undefined) return { skipped: off, off: true };
  const staged = await stageFolder(side, bounds, request.include);
  if ('failed' in staged) return { skipped: staged.failed };
  if ('off' in staged) return turnOff(side, staged.off);
  request.onRead?.();
  const before = await treesOf(side, [since, 'refs/last']);
  const isSame = before[0] === staged.tree && staged.left.length === 0;
  const commit = isSame && since !== undefined ? { oid: since } : await commitTree(side, staged.tree, { session, checkpointId, when, left: staged.left });
  if ('words' in commit) return { skipped: commit.words };
  const unpinned = isSame && when !== 'remove' ? undefined : await pin(side, staged.tree, when === 'remove' ? undefined : before[1], when === 'remove');
  if (unpinned !== undefined) return { skipped: unpinned };
  const refs = `update refs/sessions/${session}/${checkpointId} ${commit.oid}\nupdate refs/last ${commit.oid}\n`;
  const named = await runSideGit(side, ['update-ref', '--stdin'], { input: refs });
  if (!named.ok) {
    // Git may have been stopped after it had written the ref: without an event nothing may name this commit.
    await deleteRefs(side, [`refs/sessions/${session}/${checkpointId}`]);
    return { skipped: named.words };
  }
  const changed = before[0] === undefined || isSame ? [] : await countLines(side, before[0], staged.tree);
  const times = staged.tooSlow === undefined ? 0 : (slow.get(side.path) ?? 0) + 1;
  slow.set(side.path, times);
  if (staged.tooSlow === undefined || times < SLOW_IN_A_ROW) return { commit: commit.oid, changed, left: staged.left };
  slow.delete(side.path);
  await turnOff(side, staged.tooSlow);
  return { commit: commit.oid, changed, left: staged.left, off: staged.tooSlow };
}

async function turnOff(side: SideRepository, reason: string): Promise<Skipped> {
  await writeFile(offFile(side.path), reason, { mode: 0o600 });
  return { skipped: reason, off: true };
}

/** The trees of commits; undefined for one that is not there. */
async function treesOf(side: SideRepository, commits: readonly (string | undefined)[]): Promise<readonly (string | undefined)[]> {
  const input = commits.map((commit) => `${commit ?? 'none'}^{tree}\n`).join('');
  const found = await runSideGit(side, ['cat-file', '--batch-check=%(objectname)'], { input });
  const lines = found.ok ? found.out.toString('utf8').split('\n') : [];
  return commits.map((_, at) => (/^[0-9a-f]+$/.test(lines[at] ?? '') ? lines[at] : undefined));
}

async function commitTree(side: SideRepository, tree: string, note: CheckpointNote): Promise<{ oid: string } | { words: string }> {
  const head = await headCommit(side);
  const made = await runSideGit(side, ['commit-tree', '-F', '-', tree], { input: JSON.stringify({ ...note, ...(head !== undefined && { head }) }) });
  return made.ok ? { oid: made.out.toString('utf8').trim() } : { words: made.words };
}

async function noteOf(side: SideRepository, commit: string): Promise<CheckpointNote | undefined> {
  const found = await runSideGit(side, ['cat-file', 'commit', commit]);
  if (!found.ok) return undefined;
  const text = found.out.toString('utf8');
  try {
    return JSON.parse(text.slice(text.indexOf('\n\n') + 2)) as CheckpointNote;
  } catch {
    return undefined;
  }
}

async function compare(side: SideRepository, bounds: CheckpointBounds, target: string, now: string | undefined): Promise<Comparison | Skipped> {
  const staged = now === undefined ? await stageFolder(side, bounds) : { tree: now, left: (await noteOf(side, now))?.left ?? [] };
  if ('failed' in staged) return { skipped: staged.failed };
  if ('off' in staged) return { skipped: staged.off };
  const note = await noteOf(side, target);
  const found = note === undefined ? undefined : await differences(side, target, staged.tree);
  if (note === undefined || found === undefined) return { skipped: 'this checkpoint is no longer stored' };
  return { differences: found, targetLeft: note.left, nowLeft: staged.left, ignoredThen: await ignoredThen(side, target, found) };
}

/** If ignore files have changed, a file that looks new may only have been ignored before. Git is asked with the ignore files of that time. */
async function ignoredThen(side: SideRepository, target: string, found: readonly TreeDifference[]): Promise<ReadonlySet<string>> {
  const isIgnoreFile = (path: string): boolean => path === '.gitignore' || path.endsWith('/.gitignore');
  const fresh = found.flatMap(({ path, old }) => (old === undefined ? [path] : []));
  if (fresh.length === 0 || !found.some(({ path }) => isIgnoreFile(path))) return new Set();
  const folder = join(side.path, 'ignore-files');
  await rm(folder, { recursive: true, force: true });
  const listed = await runSideGit(side, ['ls-tree', '-r', '-z', '--name-only', target]);
  const names = listed.ok ? listed.out.toString('utf8').split('\0').filter(isIgnoreFile) : [];
  const apart: SideRepository = { ...side, folder, top: folder, prefix: '' };
  await mkdir(folder, { recursive: true });
  if (names.length > 0)
    await runSideGit(apart, ['restore', `--source=${target}`, '--worktree', '--pathspec-from-file=-', '--pathspec-file-nul'], {
      input: `${names.join('\0')}\0`,
    });
  const matched = await runSideGit(apart, ['check-ignore', '--no-index', '-z', '--stdin'], { input: `${fresh.join('\0')}\0` });
  await rm(folder, { recursive: true, force: true });
  return new Set(matched.ok ? matched.out.toString('utf8').split('\0') : []);
}

const PATCH = ['-p', '--no-renames', '--no-ext-diff', '--no-textconv', '--no-color', '--diff-algorithm=histogram', '-U3'];

async function patchOf(side: SideRepository, from: string, to: string, path: string): Promise<{ patch?: string; note?: string }> {
  const found = await runSideGit(side, ['--literal-pathspecs', 'diff-tree', '-r', ...PATCH, from, to, '--', path], { mostBytes: LIMITS.treePatchBytes });
  if (!found.ok) return { note: found.why === 'too-much' ? 'This diff is too large to show.' : found.words };
  const text = found.out.toString('utf8');
  const patch = hunkTexts(text)
    .map((hunk) => `${hunk}\n`)
    .join('');
  if (patch !== '') return { patch };
  return { note: /^Binary files /m.test(text) ? 'This is not a text file, so there is no diff to show.' : 'Only the name or the permissions changed.' };
}

async function textOf(side: SideRepository, commit: string, path: string): Promise<string | undefined> {
  const found = await runSideGit(side, ['cat-file', 'blob', `${commit}:${path}`], { mostBytes: LIMITS.fileTextBytes });
  return !found.ok || found.out.includes(0) ? undefined : found.out.toString('utf8');
}

async function sidePaths(dataFolder: string): Promise<readonly string[]> {
  const folder = join(dataFolder, 'checkpoints');
  return (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.git')).map((name) => join(folder, name));
}

/** For work that needs no files of the session's folder, which may be gone. */
const bare = (path: string): SideRepository => ({ path, folder: path, top: path, prefix: '', dataFolder: path });

async function refsOf(side: SideRepository, under: string): Promise<readonly string[]> {
  const listed = await runSideGit(side, ['for-each-ref', '--format=%(refname)', under], { alone: true });
  return listed.ok
    ? listed.out
        .toString('utf8')
        .split('\n')
        .filter((name) => name !== '')
    : [];
}

async function forget(path: string, session: SessionId, ids?: readonly CheckpointId[]): Promise<void> {
  if (!(await isThere(path))) return;
  await removeLeftLock(path);
  const side = bare(path);
  const wanted = ids === undefined ? undefined : new Set<string>(ids);
  const refs = (await refsOf(side, `refs/sessions/${session}/`)).filter((name) => wanted === undefined || wanted.has(name.split('/')[3] ?? ''));
  await deleteRefs(side, refs);
  const others = await refsOf(side, 'refs/sessions/');
  if (others.length === 0) await rm(path, { recursive: true, force: true });
  else if (refs.length > 0) await compact(side);
}

const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

async function removeUnknown(path: string, isKnown: (session: string, checkpoint: string) => boolean): Promise<number> {
  await waitUntilUnused(path);
  await removeLeftLock(path);
  const side = bare(path);
  const refs = await refsOf(side, 'refs/sessions/');
  const unknown = refs.filter((name) => {
    const [, , session = '', checkpoint = ''] = name.split('/');
    return !isKnown(session, checkpoint);
  });
  await deleteRefs(side, unknown);
  return unknown.length;
}

async function deleteRefs(side: SideRepository, refs: readonly string[]): Promise<void> {
  if (refs.length > 0) await runSideGit(side, ['update-ref', '--stdin'], { input: refs.map((name) => `delete ${name}\n`).join(''), alone: true });
}
