import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runGit, runGitWith } from './run-git.ts';
import { commitOf, commonDir, listWorktrees, readWorktree } from './worktrees.ts';

const BYTES = 8 * 1024 * 1024;

export type MergeTrial =
  /** `tree` exists only in a temporary folder. */
  | { readonly kind: 'clean'; readonly files: readonly string[]; readonly target: string; readonly tip: string }
  | { readonly kind: 'conflicts'; readonly paths: readonly string[] }
  | { readonly kind: 'up-to-date'; readonly target: string }
  | { readonly kind: 'refused'; readonly words: string };

/** Computes a merge without changing anything: new objects go into a temporary folder. */
export async function tryMerge(repo: string, into: string, branch: string): Promise<MergeTrial> {
  const [target, tip] = [await branchCommit(repo, into), await branchCommit(repo, branch)];
  if (target === undefined) return { kind: 'refused', words: `There is no branch ${into} in ${repo}.` };
  if (tip === undefined) return { kind: 'refused', words: `There is no branch ${branch} in ${repo}.` };
  if ((await runGit({ cwd: repo }, ['merge-base', '--is-ancestor', tip, target], 1024)).ok) return { kind: 'up-to-date', target };
  const folder = await mkdtemp(join(tmpdir(), 'signalbox-merge-'));
  try {
    const merged = await mergeTree(repo, target, tip, folder);
    if ('words' in merged) return { kind: 'refused', words: merged.words };
    if (merged.conflicts.length > 0) return { kind: 'conflicts', paths: merged.conflicts };
    const changed = await runGitWith(
      { cwd: repo, env: await objectsIn(repo, folder) },
      ['diff-tree', '-r', '-z', '--name-only', '--no-renames', target, merged.tree],
      undefined,
      BYTES,
    );
    return { kind: 'clean', files: changed.ok ? namesIn(changed.out) : [], target, tip };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const branchCommit = (repo: string, branch: string): Promise<string | undefined> => commitOf({ cwd: repo }, `refs/heads/${branch}`);

const namesIn = (out: Buffer): readonly string[] =>
  out
    .toString('utf8')
    .split('\0')
    .filter((name) => name !== '');

async function objectsIn(repo: string, folder: string): Promise<Readonly<Record<string, string>>> {
  return { GIT_OBJECT_DIRECTORY: folder, GIT_ALTERNATE_OBJECT_DIRECTORIES: join((await commonDir(repo)) ?? '', 'objects') };
}

/** An unknown ref also exits with 1: only a tree on the first line makes it a conflict (git 2.39). */
async function mergeTree(
  repo: string,
  target: string,
  tip: string,
  folder?: string,
): Promise<{ readonly tree: string; readonly conflicts: readonly string[] } | { readonly words: string }> {
  const env = folder === undefined ? {} : await objectsIn(repo, folder);
  if (folder !== undefined) await mkdir(folder, { recursive: true });
  const answer = await runGitWith(
    { cwd: repo, env },
    ['merge-tree', '--write-tree', '-z', '--name-only', '--no-messages', target, tip],
    undefined,
    BYTES,
    [0, 1],
  );
  if (!answer.ok) return answer;
  const [tree = '', ...names] = answer.out.toString('utf8').split('\0');
  if (!/^[0-9a-f]{40,64}$/.test(tree)) return { words: 'git could not compare the branches.' };
  return { tree, conflicts: names.slice(0, names.indexOf('')).filter((name) => name !== '') };
}

/** Writes the merge commit, in the person's own name. It changes nothing until a branch points to it. */
export async function commitMerge(
  repo: string,
  into: string,
  branch: string,
  { target, tip }: { readonly target: string; readonly tip: string },
): Promise<string | { readonly words: string }> {
  if ((await runGit({ cwd: repo }, ['merge-base', '--is-ancestor', target, tip], 1024)).ok) return tip;
  const merged = await mergeTree(repo, target, tip);
  if ('words' in merged) return merged;
  if (merged.conflicts.length > 0) return { words: `The branches changed in the meantime and now conflict in ${merged.conflicts.join(', ')}.` };
  const message = `Merge branch '${branch}' into ${into}\n`;
  const made = await runGitWith({ cwd: repo }, ['commit-tree', merged.tree, '-p', target, '-p', tip, '-F', '-'], message, 4096);
  return made.ok ? made.out.toString('utf8').trim() : made;
}

/** Where a branch is checked out, and whether files there are changed. */
export async function checkedOutAt(
  repo: string,
  branch: string,
): Promise<{ readonly path: string; readonly dirty: readonly string[] } | { readonly words: string } | undefined> {
  const listed = await listWorktrees(repo);
  if ('words' in listed) return listed;
  const found = listed.find((one) => one.branch === branch);
  if (found === undefined) return undefined;
  const facts = await readWorktree(found.path, false);
  return 'words' in facts ? facts : { path: found.path, dirty: facts.uncommitted };
}

/** Moves a branch that is checked out nowhere, unless somebody moved it first. */
export async function moveBranch(repo: string, branch: string, to: string, from: string): Promise<{ readonly words: string } | undefined> {
  const moved = await runGit({ cwd: repo }, ['update-ref', '-m', 'merge by Signalbox', `refs/heads/${branch}`, to, from], 4096);
  return moved.ok ? undefined : { words: `${branch} has changed in the meantime. Try again.` };
}
