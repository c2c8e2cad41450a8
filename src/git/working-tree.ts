import { isAbsolute, relative } from 'node:path';
import { hunkTexts } from '../domain/changes/patch.ts';
import type { AllowedRoots } from '../folders/allowed-roots.ts';
import type { TreeBase, TreeFile, WorkingTree } from '../protocol/api/changes.ts';
import { LIMITS } from '../protocol/limits.ts';
import { pathInside } from './path-inside.ts';
import { repositoryOf } from './repository.ts';
import { type GitAnswer, type GitLocation, runGit } from './run-git.ts';
import { readDiff, readStatus } from './tree-status.ts';

/** Limit on the status output; what exceeds it is reported as `more`. */
const STATUS_BYTES = 2 * 1024 * 1024;
/** Git's own diff format, whatever the repository's settings say. Submodules have their own settings, so they are skipped. */
export const PLAIN_DIFF = [
  ...['diff', '--no-ext-diff', '--no-textconv', '--no-color', '--no-relative', '--src-prefix=a/', '--dst-prefix=b/'],
  ...['--ignore-submodules=all', '--find-renames', '--diff-algorithm=histogram', '--inter-hunk-context=0', '-U3'],
];

export interface TreeQuestion {
  /** The session's real folder, and when the session started. */
  readonly folder: string;
  readonly startedAt: string;
  readonly base: TreeBase;
  readonly path?: string | undefined;
  /** Folders where sessions may run: nothing outside them is shown, such as the data folder below a home folder. */
  readonly allowedRoots: AllowedRoots;
}

/** What differs in the session's folder from a commit; with a path, also that file's diff. Writes nothing, not even an index. */
export async function workingTree({ folder, startedAt, base, path, allowedRoots }: TreeQuestion): Promise<WorkingTree> {
  const place = await repositoryOf(folder);
  if ('words' in place) return { repository: false, reason: place.words };
  const [head, branch, start, status] = await Promise.all([commitAt(place, 'HEAD'), branchOf(place), startOf(place, startedAt), statusOf(place)]);
  const commit = base === 'start' ? (start ?? head) : head;
  const listed = await filesOf(place, allowedRoots, status, base === 'start' && start !== undefined && start !== head ? start : undefined);
  if ('words' in listed) return { repository: false, reason: listed.words };
  return {
    repository: true,
    base: base === 'start' && start !== undefined ? 'start' : 'head',
    startKnown: start !== undefined,
    ...listed,
    ...(branch !== undefined && { branch }),
    ...(commit !== undefined && { commit }),
    ...(path !== undefined && (await patchOf(place, commit, path, listed.files))),
  };
}

async function lineOf(place: GitLocation, args: readonly string[]): Promise<string | undefined> {
  const answer = await runGit(place, args, 4096);
  const line = answer.ok ? answer.out.toString('utf8').trimEnd() : '';
  return line === '' ? undefined : line;
}

const commitAt = (place: GitLocation, name: string) => lineOf(place, ['rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`]);
const branchOf = (place: GitLocation) => lineOf(place, ['symbolic-ref', '--quiet', '--short', 'HEAD']);

/** The commit that was checked out when the session started: the last reflog entry before that time. */
async function startOf(place: GitLocation, startedAt: string): Promise<string | undefined> {
  const moves = await runGit(place, ['log', '--no-show-signature', '--walk-reflogs', '--format=%H %gd', '--date=unix', '-n', '1000', 'HEAD', '--'], 256 * 1024);
  const startSeconds = Math.floor(Date.parse(startedAt) / 1000);
  if (!moves.ok || Number.isNaN(startSeconds)) return undefined;
  const lines = moves.out.toString('utf8').split('\n');
  for (const line of lines) {
    const [, commit, at] = /^([0-9a-f]{40,64}) .*@\{(\d+)\}$/.exec(line) ?? [];
    if (commit !== undefined && Number(at) <= startSeconds) return commit;
  }
  return undefined;
}

type ListedFiles = { readonly files: TreeFile[]; readonly more: boolean };

const statusOf = (place: GitLocation): Promise<GitAnswer> =>
  runGit(place, ['status', '--porcelain=v2', '-z', '--untracked-files=all', '--ignore-submodules=all', '--', '.'], STATUS_BYTES);

async function filesOf(
  place: GitLocation,
  allowedRoots: AllowedRoots,
  status: GitAnswer,
  start: string | undefined,
): Promise<ListedFiles | { readonly words: string }> {
  if (!status.ok) return { words: status.words };
  const now = readStatus(status.out.toString('utf8'), status.isCut);
  const diff = start === undefined ? undefined : await runGit(place, [...PLAIN_DIFF, '--name-status', '-z', start, '--', '.'], STATUS_BYTES);
  if (diff?.ok === false) return { words: diff.words };
  const files = diff === undefined ? now : readDiff(diff.out.toString('utf8'), diff.isCut, now);
  const shown = files.flatMap((file) => pathInside(place, file, allowedRoots) ?? []);
  return { files: shown.slice(0, LIMITS.treeFiles), more: status.isCut || diff?.isCut === true || shown.length > LIMITS.treeFiles };
}

async function patchOf(place: GitLocation, commit: string | undefined, path: string, files: readonly TreeFile[]): Promise<{ patch?: string; note?: string }> {
  const wanted = isAbsolute(path) ? relative(place.cwd, path) : path;
  const file = files.find((one) => one.path === wanted);
  if (file === undefined) return { note: 'This file has no uncommitted changes.' };
  const names = [file.path, ...(file.oldPath === undefined ? [] : [file.oldPath])].map((name) => `:(literal)${name}`);
  // A file that git doesn't track yet is compared with an empty one.
  const isNew = file.state === 'untracked' || commit === undefined;
  const args = isNew ? [...PLAIN_DIFF, '--no-index', '--', '/dev/null', `./${file.path}`] : [...PLAIN_DIFF, commit, '--', ...names];
  const answer = await runGit(place, args, LIMITS.treePatchBytes, isNew ? [0, 1] : [0]);
  if (isNew && answer.ok && answer.out.length === 0) return { note: 'This is empty or a nested repository: there is no text to show.' };
  return answer.ok ? readable(answer.out.toString('utf8'), answer.isCut) : { note: answer.words };
}

function readable(diff: string, isCut: boolean): { patch?: string; note?: string } {
  const patch = hunkTexts(diff)
    .map((hunk) => `${hunk}\n`)
    .join('');
  if (patch === '')
    return {
      note: /^Binary files /m.test(diff) ? 'This is not a text file, so there is no diff to show.' : 'Only the name or the permissions changed.',
    };
  return { patch, ...(isCut && { note: `Only the first ${LIMITS.treePatchBytes / 1024} KB of the diff are shown.` }) };
}
