import { readdir, readFile, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { runGit } from './run-git.ts';
import { commonDir, INITIALIZING } from './worktrees.ts';

/**
 * Clears what a killed `git worktree add` left behind: its folder, its entry (locked as "initializing") and the branch, which still points
 * to its first commit. Only for a path that this call made from nothing; a finished worktree is never touched.
 */
export async function clearHalfMade(repo: string, path: string, branch: string, firstCommit: string): Promise<void> {
  const common = await commonDir(repo);
  if (common === undefined) return;
  const entries = join(common, 'worktrees');
  for (const name of await readdir(entries).catch(() => [])) {
    if (name.startsWith(basename(path)) && (await isHalfMade(join(entries, name), path))) await rm(join(entries, name), { recursive: true, force: true });
  }
  await rm(path, { recursive: true, force: true });
  await runGit({ cwd: repo }, ['update-ref', '-d', `refs/heads/${branch}`, firstCommit], 1024);
}

/** Git makes the folder, writes the lock and then its `gitdir`; it can be killed before any of them, and between making a file and writing it. */
async function isHalfMade(entry: string, path: string): Promise<boolean> {
  const lock = (await readFile(join(entry, 'locked'), 'utf8').catch(() => '')).trim();
  const gitdir = (await readFile(join(entry, 'gitdir'), 'utf8').catch(() => '')).trim();
  if (gitdir === '' && lock === '') return (await readdir(entry)).every((name) => name === 'locked');
  return lock === INITIALIZING && (gitdir === '' || gitdir === join(path, '.git'));
}
