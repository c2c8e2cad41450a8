import type { AllowedRoots } from '../folders/allowed-roots.ts';
import type { SideFile } from '../protocol/api/finish.ts';
import { LIMITS } from '../protocol/limits.ts';
import { maskedAddress } from './masked-address.ts';
import { pathInside } from './path-inside.ts';
import { type GitLocation, runGit } from './run-git.ts';
import { readSides } from './tree-status.ts';

const STATUS_BYTES = 2 * 1024 * 1024;

export interface FinishStatus {
  readonly branch?: string;
  readonly head?: string;
  readonly upstream?: { readonly name: string; readonly ahead: number; readonly behind: number; readonly commit?: string };
  readonly remotes: { readonly name: string; readonly url: string }[];
  readonly unstaged: SideFile[];
  readonly staged: SideFile[];
  readonly stagedElsewhere: number;
  readonly more: boolean;
  readonly conflicts: number;
}

/** What is staged and what is not, and where a push would go. Writes nothing. */
export async function finishStatus(place: GitLocation, allowedRoots: AllowedRoots): Promise<FinishStatus | { readonly words: string }> {
  const args = ['status', '--porcelain=v2', '--branch', '-z', '--untracked-files=all', '--ignore-submodules=dirty'];
  const [status, remotes] = await Promise.all([runGit(place, args, STATUS_BYTES), remotesOf(place)]);
  if (!status.ok) return { words: status.words };
  const { staged, unstaged, conflicts, branch } = readSides(status.out.toString('utf8'), status.isCut);
  const shown = (files: readonly SideFile[]) => files.flatMap((file) => pathInside(place, file, allowedRoots) ?? []);
  const [stagedHere, unstagedHere] = [shown(staged), shown(unstaged)];
  const tracked = branch.upstream === undefined ? undefined : await runGit(place, ['rev-parse', '--verify', '--quiet', '@{upstream}'], 256);
  const [, ahead = '0', behind = '0'] = /^\+(\d+) -(\d+)$/.exec(branch.ab ?? '') ?? [];
  return {
    remotes,
    staged: stagedHere.slice(0, LIMITS.treeFiles),
    unstaged: unstagedHere.slice(0, LIMITS.treeFiles),
    stagedElsewhere: staged.length - stagedHere.length,
    more: status.isCut || stagedHere.length > LIMITS.treeFiles || unstagedHere.length > LIMITS.treeFiles,
    conflicts,
    ...(branch.head !== undefined && branch.head !== '(detached)' && { branch: branch.head }),
    ...(branch.oid !== undefined && branch.oid !== '(initial)' && { head: branch.oid }),
    ...(branch.upstream !== undefined && {
      upstream: {
        name: branch.upstream,
        ahead: Number(ahead),
        behind: Number(behind),
        ...(tracked?.ok === true && { commit: tracked.out.toString('utf8').trimEnd() }),
      },
    }),
  };
}

async function remotesOf(place: GitLocation): Promise<FinishStatus['remotes']> {
  const listed = await runGit(place, ['config', '--null', '--get-regexp', '^remote\\..*\\.url$'], 64 * 1024, [0, 1]);
  if (!listed.ok) return [];
  const entries = listed.out
    .toString('utf8')
    .split('\0')
    .filter((entry) => entry !== '');
  return entries.flatMap((entry) => {
    const [, name, url] = /^remote\.(.*)\.url\n(.*)$/s.exec(entry) ?? [];
    return name === undefined || url === undefined ? [] : [{ name, url: maskedAddress(url) }];
  });
}
