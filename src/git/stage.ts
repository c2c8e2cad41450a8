import type { HunkName, Side, SideFile } from '../protocol/api/finish.ts';
import type { Refusal } from '../protocol/command.ts';
import { type ActAnswer, type ActLocation, actGit } from './act-git.ts';
import { lockProblem, waitForIndex } from './index-lock.ts';
import type { GitLocation } from './run-git.ts';
import { literal, rawDiff, wholeOnly } from './side-diff.ts';

export interface ActPlace {
  /** For questions. */
  readonly read: GitLocation;
  /** For what a person asked for. */
  readonly act: ActLocation;
  /** How long to wait for another git command; 2 s by default. */
  readonly lockMs?: number;
}

/** What to act on: whole files, or hunks of files that can be split. */
export type Selection = { readonly files: readonly SideFile[] } | { readonly hunks: readonly HunkName[] };

/** Adds to the index exactly what a person's `git add` would add. */
export const stage = (place: ActPlace, selection: Selection): Promise<Refusal | undefined> =>
  'files' in selection ? act(place, ['add', '--all', ...pathspecs(selection.files)]) : applyHunks(place, 'unstaged', selection.hunks, ['--cached']);

export async function unstage(place: ActPlace, selection: Selection, hasCommit: boolean): Promise<Refusal | undefined> {
  if ('hunks' in selection) return applyHunks(place, 'staged', selection.hunks, ['--cached', '--reverse']);
  const { files } = selection;
  return act(place, hasCommit ? ['restore', '--staged', ...pathspecs(files)] : ['rm', '--cached', '--quiet', '-r', '--force', ...pathspecs(files)]);
}

/** Removes changes from the folder. Take a checkpoint first. */
export async function discard(place: ActPlace, selection: Selection): Promise<Refusal | undefined> {
  if ('hunks' in selection) return applyHunks(place, 'unstaged', selection.hunks, ['--reverse']);
  const [fresh, known] = [selection.files.filter(({ state }) => state === 'untracked'), selection.files.filter(({ state }) => state !== 'untracked')];
  const restored = known.length === 0 ? undefined : await act(place, ['restore', '--worktree', ...pathspecs(known)]);
  if (restored !== undefined || fresh.length === 0) return restored;
  return act(place, ['clean', '--force', '--quiet', ...pathspecs(fresh)]);
}

const pathspecs = (files: readonly SideFile[]): readonly string[] => [
  '--',
  ...files.flatMap(({ path, oldPath }) => [path, ...(oldPath === undefined ? [] : [oldPath])]).map(literal),
];

/** All hunks of a call are applied together or not at all. */
async function applyHunks(place: ActPlace, side: Side, hunks: readonly HunkName[], how: readonly string[]): Promise<Refusal | undefined> {
  const patch = await patchOf(place.read, side, hunks);
  if (typeof patch !== 'string') return patch;
  // Whitespace is the author's business, and paths come from git's own diff.
  const fromTop = { ...place, act: { ...place.act, cwd: place.read.workTree } };
  return act(fromTop, ['apply', ...how, '--whitespace=nowarn', '-'], Buffer.from(patch, 'latin1'));
}

async function patchOf(read: GitLocation, side: Side, hunks: readonly HunkName[]): Promise<string | Refusal> {
  let patch = '';
  for (const path of new Set(hunks.map((hunk) => hunk.path))) {
    const diff = await rawDiff(read, side, path);
    if ('words' in diff) return { refused: 'conflict', message: diff.words };
    const why = diff.hunks.length === 0 ? undefined : await wholeOnly(read, path, diff);
    if (why !== undefined) return { refused: 'conflict', message: `${JSON.stringify(path)}: ${why}` };
    const wanted = hunks.filter((hunk) => hunk.path === path);
    const isWanted = (known: { header: string; sha256: string }) => wanted.some(({ header, sha256 }) => header === known.header && sha256 === known.sha256);
    const found = diff.hunks.filter(isWanted);
    if (found.length !== new Set(wanted.map(({ header, sha256 }) => `${header} ${sha256}`)).size) return stale(path);
    patch += `${diff.head}${found.map(({ text }) => `${text}\n`).join('')}`;
  }
  return patch;
}

const stale = (path: string): Refusal => ({
  refused: 'conflict',
  message: `${JSON.stringify(path)} has changed since you looked at it. Nothing was applied; look again.`,
});

async function act(place: ActPlace, args: readonly string[], input?: Uint8Array): Promise<Refusal | undefined> {
  const locked = await waitForIndex(place.read, place.lockMs);
  if (locked !== undefined) return locked;
  const answer: ActAnswer = await actGit(place.act, args, input);
  if (answer.ok) return undefined;
  return { refused: 'conflict', message: (await lockProblem(place.read)) ?? answer.words };
}
