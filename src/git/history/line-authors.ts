import { join, relative } from 'node:path';
import { type GitLocation, runGit } from '../run-git.ts';

/** The commit to which git attributes a line. */
export interface LineCommit {
  readonly commit: string;
  readonly author: string;
  /** When it was written, and when it got where it is: a rebase or a cherry-pick only changes the second. */
  readonly at: string;
  readonly committedAt: string;
  readonly summary: string;
}

const OUT_BYTES = 1024 * 1024;
/** A file rarely has more names than this. */
const NAMES = 10;
const PLAIN = ['--no-ext-diff', '--no-textconv'];

/** Git's own answer for one line; undefined if the line is not committed, or there is no repository. */
export async function commitOfLine(place: GitLocation, path: string, line: number): Promise<LineCommit | undefined> {
  const found = await runGit(place, ['blame', '--porcelain', '--no-textconv', '-L', `${line},${line}`, '--', path], OUT_BYTES);
  return found.ok ? readBlame(found.out.toString('utf8')) : undefined;
}

function readBlame(out: string): LineCommit | undefined {
  const [head = '', ...rest] = out.split('\n');
  const commit = head.split(' ')[0] ?? '';
  if (!/^[0-9a-f]{40,64}$/.test(commit) || /^0+$/.test(commit)) return undefined;
  const field = (name: string): string => rest.find((line) => line.startsWith(`${name} `))?.slice(name.length + 1) ?? '';
  const time = (name: string): string => new Date(Number(field(name)) * 1000).toISOString();
  return { commit, author: field('author'), at: time('author-time'), committedAt: time('committer-time'), summary: field('summary') };
}

/** Names that the file had before, as whole paths, newest first. */
export async function oldNames(place: GitLocation, path: string): Promise<readonly string[]> {
  const own = relative(place.workTree, path);
  const found = await runGit({ ...place, cwd: place.workTree }, ['log', '--follow', '--name-only', '--format=', '-z', ...PLAIN, '--', own], OUT_BYTES);
  const names = found.ok ? found.out.toString('utf8').split(/[\0\n]/) : [];
  return [...new Set(names)]
    .filter((name) => name !== '' && name !== own)
    .slice(0, NAMES)
    .map((name) => join(place.workTree, name));
}

/** Folders of all worktrees of the repository. */
export async function worktreeFolders(place: GitLocation): Promise<readonly string[]> {
  const found = await runGit(place, ['worktree', 'list', '--porcelain', '-z'], OUT_BYTES);
  const lines = found.ok ? found.out.toString('utf8').split('\0') : [];
  return lines.flatMap((line) => (line.startsWith('worktree ') ? [line.slice('worktree '.length)] : []));
}
