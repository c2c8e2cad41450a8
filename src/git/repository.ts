import { lstat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type GitLocation, NO_REPOSITORY, runGit } from './run-git.ts';

/** Names of settings are short; a repository with more than this is not read further. */
const SETTINGS_BYTES = 256 * 1024;
const MOST_FILTERS = 200;

/** The repository that contains a folder, ready for git commands; or why there is none. */
export async function repositoryOf(folder: string): Promise<GitLocation | { readonly words: string }> {
  const workTree = await topOf(folder);
  if (workTree === undefined) return { words: NO_REPOSITORY };
  const found = await runGit({ cwd: workTree, ceiling: dirname(workTree) }, ['rev-parse', '--absolute-git-dir'], 4096);
  if (!found.ok) return { words: found.words };
  const gitDir = found.out.toString('utf8').trimEnd();
  const emptied = await filtersOf({ cwd: folder, workTree, gitDir, emptied: [] });
  return Array.isArray(emptied) ? { cwd: folder, workTree, gitDir, emptied } : { words: TOO_MANY };
}

const TOO_MANY = 'The settings of this repository are too many to be sure of: it is not asked.';

/** The closest folder above with a `.git`. A setting that names another one is ignored. */
export async function topOf(folder: string): Promise<string | undefined> {
  const found = await lstat(join(folder, '.git')).catch(() => undefined);
  if (found?.isDirectory() || found?.isFile()) return folder;
  const parent = dirname(folder);
  return parent === folder ? undefined : topOf(parent);
}

/** Filters through which git would pass file contents. Each is a command from the repository's settings, so none is run. */
async function filtersOf(place: GitLocation): Promise<readonly string[] | undefined> {
  const listed = await runGit(place, ['config', '--list', '--name-only', '-z'], SETTINGS_BYTES);
  if (!listed.ok) return undefined;
  const names = listed.out.toString('utf8').split('\0');
  const filters = [...new Set(names.filter((name) => /^filter\..*\.(clean|smudge|process|required)$/s.test(name)))];
  return listed.isCut || filters.length > MOST_FILTERS ? undefined : filters;
}
