import { existsSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { repositoryOf } from './repository.ts';
import { type GitAnswer, type GitLocation, runGit } from './run-git.ts';

const SMALL = 64 * 1024;
const LARGE = 8 * 1024 * 1024;
/** `merge-tree --write-tree` exists since then. */
const OLDEST = [2, 38] as const;

/** Why git can't do what worktrees need; undefined when it can. */
export async function gitProblem(folder: string): Promise<string | undefined> {
  const answer = await runGit({ cwd: folder }, ['--version'], 1024);
  if (!answer.ok) return answer.words;
  const [, major = '0', minor = '0'] = /(\d+)\.(\d+)/.exec(answer.out.toString()) ?? [];
  const isNewEnough = Number(major) > OLDEST[0] || (Number(major) === OLDEST[0] && Number(minor) >= OLDEST[1]);
  return isNewEnough ? undefined : `Worktrees need git ${OLDEST.join('.')} or newer; this server has ${major}.${minor}.`;
}

/** Where a worktree starts: its repository, and the commit that `base` names. */
export interface WorktreeBase {
  /** The real folder of the working tree that contains the person's folder. */
  readonly repo: string;
  /** The person's folder inside it, empty for the top. */
  readonly prefix: string;
  readonly base: string;
  readonly baseCommit: string;
}

export async function findBase(folder: string, wished?: string): Promise<WorktreeBase | { readonly words: string }> {
  const problem = await gitProblem(folder);
  if (problem !== undefined) return { words: problem };
  const place = await repositoryOf(folder);
  if ('words' in place) return place;
  const repo = await realpath(place.workTree);
  const base = wished ?? (await currentBranch(place));
  const baseCommit = await commitOf(place, base);
  if (baseCommit !== undefined) return { repo, prefix: relative(repo, folder), base, baseCommit };
  return {
    words:
      wished === undefined
        ? 'The repository has no commit yet. Make a first commit, then try again.'
        : `There is no branch, tag or commit "${wished}" in ${repo}.`,
  };
}

const currentBranch = async (place: GitLocation): Promise<string> => text(await runGit(place, ['symbolic-ref', '--short', '-q', 'HEAD'], SMALL)) ?? 'HEAD';

/** The commit that a name stands for. The name is data: it can start with a dash. */
export async function commitOf(place: Pick<GitLocation, 'cwd'> & Partial<GitLocation>, name: string): Promise<string | undefined> {
  for (const ref of [`refs/heads/${name}`, `refs/remotes/${name}`, `refs/tags/${name}`, name]) {
    const found = text(await runGit(place, ['rev-parse', '--verify', '-q', '--end-of-options', `${ref}^{commit}`], SMALL));
    if (found !== undefined && /^[0-9a-f]{40,64}$/.test(found)) return found;
  }
  return undefined;
}

export async function branchNames(folder: string): Promise<readonly string[]> {
  const answer = await runGit({ cwd: folder }, ['for-each-ref', '--format=%(refname:short)', '--sort=-committerdate', '--count=100', 'refs/heads'], LARGE);
  return text(answer)?.split('\n') ?? [];
}

/** One line of `git worktree list`. */
export interface ListedWorktree {
  readonly path: string;
  readonly head?: string;
  readonly branch?: string;
  readonly locked?: string;
  readonly prunable?: string;
  readonly main: boolean;
}

export async function listWorktrees(repo: string): Promise<readonly ListedWorktree[] | { readonly words: string }> {
  const answer = await runGit({ cwd: repo }, ['worktree', 'list', '--porcelain', '-z'], LARGE);
  if (!answer.ok) return answer;
  const records = answer.out
    .toString('utf8')
    .split('\0\0')
    .filter((record) => record !== '');
  return records.map((record, index) => ({ ...parseRecord(record), main: index === 0 }));
}

function parseRecord(record: string): Omit<ListedWorktree, 'main'> {
  const fields = new Map(record.split('\0').map((line) => [line.split(' ', 1)[0] ?? '', line.slice(line.indexOf(' ') + 1)] as const));
  const [head, branch, locked, prunable] = ['HEAD', 'branch', 'locked', 'prunable'].map((name) => fields.get(name));
  return {
    path: fields.get('worktree') ?? '',
    ...(head !== undefined && { head }),
    ...(branch !== undefined && { branch: branch.replace(/^refs\/heads\//, '') }),
    ...(locked !== undefined && { locked: locked === 'locked' ? '' : locked }),
    ...(prunable !== undefined && { prunable }),
  };
}

/** Tells git that the folder of a worktree was renamed to this. Returns why it can't. */
export async function followMoved(repo: string, path: string): Promise<string | undefined> {
  const answer = await runGit({ cwd: repo }, ['worktree', 'repair', path], SMALL);
  return answer.ok ? undefined : answer.words;
}

/** While git makes a worktree, its entry is locked with this word. */
export const INITIALIZING = 'initializing';

export interface WorktreeFacts {
  readonly uncommitted: readonly string[];
  readonly untracked: readonly string[];
  /** Ignored files, and folders of which every file is ignored (with "/" at the end). */
  readonly ignored: readonly string[];
  readonly head: string | undefined;
}

/** What is in a worktree besides its commit. `ignored` is read only if wanted: it walks over every ignored folder. */
export async function readWorktree(path: string, withIgnored: boolean): Promise<WorktreeFacts | { readonly words: string }> {
  const place = await repositoryOf(path);
  if ('words' in place) return place;
  const mode = withIgnored ? ['--ignored=matching'] : [];
  const answer = await runGit(place, ['status', '--porcelain=v1', '-z', '--no-renames', '--untracked-files=all', '--ignore-submodules=none', ...mode], LARGE);
  if (!answer.ok) return answer;
  if (answer.isCut) return { words: 'There are too many changed files to list.' };
  const entries = answer.out
    .toString('utf8')
    .split('\0')
    .filter((entry) => entry !== '');
  const named = (matches: (code: string) => boolean) => entries.filter((entry) => matches(entry.slice(0, 2))).map((entry) => entry.slice(3));
  return {
    uncommitted: named((code) => code !== '??' && code !== '!!'),
    untracked: named((code) => code === '??'),
    ignored: named((code) => code === '!!'),
    head: await commitOf(place, 'HEAD'),
  };
}

/** A worktree's submodules live in its own part of the repository and go with it. */
export async function hasSubmodules(path: string): Promise<boolean> {
  const gitDir = text(await runGit({ cwd: path }, ['rev-parse', '--absolute-git-dir'], SMALL));
  return gitDir !== undefined && existsSync(join(gitDir, 'modules'));
}

/** The newest commits of a branch that no other branch, tag or remote has. */
export async function ownCommits(repo: string, branch: string, limit: number): Promise<readonly { readonly commit: string; readonly subject: string }[]> {
  const args = [
    'log',
    `--max-count=${limit}`,
    '--format=%H %s',
    `refs/heads/${branch}`,
    '--not',
    `--exclude=${branch}`,
    '--branches',
    '--remotes',
    '--tags',
    '--',
  ];
  return (text(await runGit({ cwd: repo }, args, LARGE)) ?? '')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => ({ commit: line.slice(0, line.indexOf(' ')), subject: line.slice(line.indexOf(' ') + 1) }));
}

/** How many commits `branch` has that `base` doesn't. */
export async function commitsAhead(repo: string, base: string, branch: string): Promise<number | undefined> {
  const from = await commitOf({ cwd: repo }, base);
  const count = from === undefined ? undefined : text(await runGit({ cwd: repo }, ['rev-list', '--count', `${from}..refs/heads/${branch}`, '--'], SMALL));
  return count === undefined ? undefined : Number(count);
}

/** A small file of a commit; undefined if it isn't there or is too large. */
export async function fileAt(repo: string, commit: string, path: string): Promise<string | undefined> {
  const answer = await runGit({ cwd: repo }, ['cat-file', 'blob', `${commit}:${path}`], SMALL);
  return answer.ok && !answer.isCut ? answer.out.toString('utf8') : undefined;
}

/** The blobs of those paths that are files of a commit, by path. */
export async function blobsAt(repo: string, commit: string, paths: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (paths.length === 0) return new Map();
  const answer = await runGit({ cwd: repo }, ['--literal-pathspecs', 'ls-tree', '-z', commit, '--', ...paths], LARGE);
  const entries = answer.ok ? answer.out.toString('utf8').split('\0') : [];
  return new Map(entries.flatMap((entry) => blobEntry(entry)));
}

function blobEntry(entry: string): readonly (readonly [string, string])[] {
  const [, mode, type, oid, path] = /^(\d+) (\w+) ([0-9a-f]+)\t(.*)$/s.exec(entry) ?? [];
  return type === 'blob' && path !== undefined ? [[path, `${mode} ${oid}`]] : [];
}

/** The folder that all worktrees of a repository share. */
export async function commonDir(repo: string): Promise<string | undefined> {
  return text(await runGit({ cwd: repo }, ['rev-parse', '--path-format=absolute', '--git-common-dir'], SMALL));
}

function text(answer: GitAnswer): string | undefined {
  const out = answer.ok ? answer.out.toString('utf8').trimEnd() : '';
  return out === '' ? undefined : out;
}
