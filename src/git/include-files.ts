import { createHash } from 'node:crypto';
import { constants, createReadStream } from 'node:fs';
import { copyFile, lstat, mkdir, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import * as z from 'zod/mini';
import type { SkippedFile } from '../protocol/api/worktree.ts';
import { repositoryOf } from './repository.ts';
import { type GitLocation, runGit, runGitWith } from './run-git.ts';

const FILE = '.worktreeinclude';
const LIST_BYTES = 16 * 1024 * 1024;
const PATTERN_BYTES = 64 * 1024;
const MOST_FILES = 10_000;
const MOST_BYTES = 1024 ** 3;
const MOST_SKIPPED = 50;

/** The copies in a worktree: what was copied, and a hash of what it was then. */
export const Included = z.array(z.object({ path: z.string(), bytes: z.int(), sha256: z.string() }));
export type Included = z.infer<typeof Included>;

export interface IncludePlan {
  readonly files: readonly { readonly path: string; readonly bytes: number }[];
  readonly bytes: number;
  readonly skipped: readonly SkippedFile[];
}

const NOTHING: IncludePlan = { files: [], bytes: 0, skipped: [] };

/** Which files `.worktreeinclude` copies: they match its patterns, and git ignores them. Git itself reads the patterns, so nothing outside can match. */
export async function planIncludes(repo: string): Promise<IncludePlan> {
  const patterns = await readPatterns(repo);
  if (patterns === undefined) return NOTHING;
  if (typeof patterns !== 'string') return { ...NOTHING, skipped: [patterns] };
  const place = await repositoryOf(repo);
  if ('words' in place) return { ...NOTHING, skipped: [{ path: FILE, why: place.words }] };
  const matched = await listMatching(place, '--others');
  const ignored = new Set(await ignoredAmong(place, matched));
  const tracked = await listMatching(place, '--cached');
  const chosen = await choose(
    repo,
    matched.filter((path) => ignored.has(path)),
  );
  const notIgnored = matched.filter((path) => !ignored.has(path));
  const skipped = [
    ...outside(patterns, [...matched, ...tracked]),
    ...tracked.map((path) => ({ path, why: 'tracked by git: it is there already' })),
    ...notIgnored.map((path) => ({ path, why: 'not ignored by git' })),
    ...chosen.skipped,
  ];
  return { ...chosen, skipped: skipped.slice(0, MOST_SKIPPED) };
}

async function readPatterns(repo: string): Promise<string | SkippedFile | undefined> {
  const path = join(repo, FILE);
  const found = await lstat(path).catch(() => undefined);
  if (found === undefined) return undefined;
  if (!found.isFile()) return { path: FILE, why: 'not a regular file' };
  if (found.size > PATTERN_BYTES) return { path: FILE, why: `larger than ${PATTERN_BYTES / 1024} KB` };
  return readFile(path, 'utf8');
}

async function listMatching(place: GitLocation, which: '--others' | '--cached'): Promise<readonly string[]> {
  const answer = await runGit(
    { ...place, cwd: place.workTree },
    ['ls-files', which, '--ignored', `--exclude-from=${join(place.workTree, FILE)}`, '-z'],
    LIST_BYTES,
  );
  return answer.ok ? namesIn(answer.out, answer.isCut) : [];
}

async function ignoredAmong(place: GitLocation, paths: readonly string[]): Promise<readonly string[]> {
  if (paths.length === 0) return [];
  const answer = await runGitWith({ ...place, cwd: place.workTree }, ['check-ignore', '-z', '--stdin'], `${paths.join('\0')}\0`, LIST_BYTES, [0, 1]);
  return answer.ok ? namesIn(answer.out, answer.isCut) : [];
}

const namesIn = (out: Buffer, isCut: boolean): readonly string[] => {
  const names = out.toString('utf8').split('\0');
  return names.slice(0, isCut ? -1 : undefined).filter((name) => name !== '');
};

/** Patterns that name something outside the repository match nothing; that is said. */
function outside(patterns: string, found: readonly string[]): readonly SkippedFile[] {
  const lines = patterns.split('\n').map((line) => line.trim());
  return lines.flatMap((line) => {
    if (line.split('/').includes('..')) return [{ path: line, why: 'outside the repository' }];
    const isFound = found.some((path) => path === line.slice(1) || path.startsWith(`${line.slice(1).replace(/\/$/, '')}/`));
    return line.startsWith('/') && !/[*?[]/.test(line) && !isFound ? [{ path: line, why: 'not in the repository' }] : [];
  });
}

async function choose(repo: string, paths: readonly string[]): Promise<IncludePlan> {
  const files: { path: string; bytes: number }[] = [];
  const skipped: SkippedFile[] = [];
  let bytes = 0;
  for (const path of paths) {
    const why = files.length >= MOST_FILES ? `more than ${MOST_FILES} files` : await reasonToSkip(repo, path);
    const size = why === undefined ? (await lstat(join(repo, path)).catch(() => undefined))?.size : undefined;
    if (why !== undefined || size === undefined) skipped.push({ path, why: why ?? 'gone' });
    else if (bytes + size > MOST_BYTES) skipped.push({ path, why: 'more than 1 GB in all' });
    else {
      files.push({ path, bytes: size });
      bytes += size;
    }
  }
  return { files, bytes, skipped };
}

/** Links are not followed, neither the file itself nor a folder above it. */
async function reasonToSkip(repo: string, path: string): Promise<string | undefined> {
  const parts = path.split('/');
  for (let depth = 1; depth < parts.length; depth += 1) {
    const folder = await lstat(join(repo, ...parts.slice(0, depth))).catch(() => undefined);
    if (!folder?.isDirectory()) return 'inside a symbolic link';
  }
  const found = await lstat(join(repo, path)).catch(() => undefined);
  if (found?.isSymbolicLink()) return 'a symbolic link';
  return found?.isFile() ? undefined : 'not a regular file';
}

/** Copies the files; those that are in the worktree already stay as they are. Repeating it after a kill changes nothing. */
export async function copyIncludes(
  repo: string,
  worktree: string,
  plan: IncludePlan,
  temporary: string,
): Promise<{ readonly included: Included; readonly skipped: readonly SkippedFile[] }> {
  const included: Included = [];
  const skipped: SkippedFile[] = [...plan.skipped];
  for (const { path } of plan.files) {
    const to = join(worktree, path);
    try {
      if ((await lstat(to).catch(() => undefined)) === undefined) await copyOne(join(repo, path), to, `${to}.${temporary}`);
      const { size } = await lstat(to);
      included.push({ path, bytes: size, sha256: await hashOf(to) });
    } catch (error) {
      skipped.push({ path, why: error instanceof Error ? error.message : String(error) });
    }
  }
  return { included, skipped: skipped.slice(0, MOST_SKIPPED) };
}

async function copyOne(from: string, to: string, part: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true });
  await rm(part, { force: true });
  await copyFile(from, part, constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL);
  await rename(part, to);
}

export async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}
