import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { SessionWorktree } from '../../domain/session/state.ts';
import { hashOf, Included } from '../../git/include-files.ts';
import { hasSubmodules, listWorktrees, ownCommits, readWorktree } from '../../git/worktrees.ts';
import type { WorktreeLosses } from '../../protocol/api/worktree.ts';
import { isInternal } from '../../protocol/ids.ts';
import type { SessionActor } from '../loop/session-actor.ts';

const SHOWN = 100;

export interface Losses {
  readonly losses: WorktreeLosses;
  /** Why it must stay, in words; undefined when nothing would be lost. */
  readonly summary: string | undefined;
  readonly head: string;
}

/** What would be lost with this worktree: everything that is in no commit that others have, and that we didn't copy in ourselves. */
export async function lossesOf(session: SessionActor, worktree: SessionWorktree): Promise<Losses | { readonly words: string }> {
  const listed = await listWorktrees(worktree.repo);
  if ('words' in listed) return listed;
  const entry = listed.find(({ path }) => path === worktree.path);
  if (entry === undefined) return { words: `git no longer lists a worktree at ${worktree.path}.` };
  if (entry.locked !== undefined)
    return { words: `It is locked${entry.locked === '' ? '' : `: ${entry.locked}`}. Unlock it with: git worktree unlock ${worktree.path}` };
  if (entry.prunable !== undefined) return { words: `Its folder is gone: ${entry.prunable}` };
  if (await hasSubmodules(worktree.path))
    return { words: 'It has submodules, whose files can’t be saved here. Remove it by hand: git worktree remove --force.' };
  const facts = await readWorktree(worktree.path, true);
  if ('words' in facts) return facts;
  const ignored = await changedIgnored(session, worktree, facts.ignored);
  const commits = await ownCommits(worktree.repo, worktree.branch, SHOWN);
  const running = [...session.context.sessions.values()]
    .filter(({ state }) => state.run.phase !== 'none' && isIn(state.born?.cwd, worktree.path) && !isInternal(state.id))
    .map(({ state }) => ({ sessionId: state.id, title: state.meta.title ?? state.meta.firstPrompt?.slice(0, 80) ?? state.id }));
  const { uncommitted, untracked } = facts;
  const all = [uncommitted, untracked, ignored, commits, running];
  const losses = {
    uncommitted: uncommitted.slice(0, SHOWN),
    untracked: untracked.slice(0, SHOWN),
    ignored: ignored.slice(0, SHOWN),
    commits: [...commits],
    running,
    ...(all.some((list) => list.length > SHOWN) && { more: true }),
  };
  return { losses, summary: summaryOf(losses), head: facts.head ?? entry.head ?? worktree.baseCommit };
}

const isIn = (path: string | undefined, folder: string): boolean => path === folder || (path?.startsWith(`${folder}/`) ?? false);

/** Ignored files that are not exactly what was copied in. */
async function changedIgnored({ context }: SessionActor, { path, prepared }: SessionWorktree, ignored: readonly string[]): Promise<readonly string[]> {
  const blob = prepared?.included && context.deps.journal.blob(prepared.included.sha256);
  const copies = new Map((blob === undefined ? [] : Included.parse(JSON.parse(Buffer.from(blob).toString()))).map((copy) => [copy.path, copy.sha256]));
  const changed: string[] = [];
  for (const name of ignored) if (!(await isCopied(path, name, copies))) changed.push(name);
  return changed;
}

/** A folder counts if every file in it does; the first other file decides. */
async function isCopied(worktree: string, name: string, copies: ReadonlyMap<string, string>): Promise<boolean> {
  const file = join(worktree, name);
  const found = await lstat(file).catch(() => undefined);
  if (found?.isFile()) return copies.has(name) && (await hashOf(file)) === copies.get(name);
  const folder = name.replace(/\/$/, '');
  if (!found?.isDirectory() || ![...copies.keys()].some((copy) => copy.startsWith(`${folder}/`))) return false;
  for (const entry of await readdir(file)) if (!(await isCopied(worktree, `${folder}/${entry}`, copies))) return false;
  return true;
}

function summaryOf({ uncommitted, untracked, ignored, commits, running }: WorktreeLosses): string | undefined {
  const parts = [
    listText('uncommitted changes in', uncommitted),
    listText('untracked files:', untracked),
    listText('ignored files that exist only here:', ignored),
    listText(
      'commits that no other branch has:',
      commits.map(({ commit, subject }) => `${commit.slice(0, 8)} ${subject}`),
    ),
    listText(
      'agents that are running in it:',
      running.map(({ title }) => title),
    ),
  ].filter((part) => part !== undefined);
  return parts.length === 0 ? undefined : `The worktree has ${parts.join('; ')}.`;
}

const NAMED = 10;

function listText(words: string, names: readonly string[]): string | undefined {
  if (names.length === 0) return undefined;
  return `${words} ${names.slice(0, NAMED).join(', ')}${names.length > NAMED ? ` and ${names.length - NAMED} more` : ''}`;
}
