import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { runScripts } from '../../domain/script/scripts.ts';
import type { SessionWorktree } from '../../domain/session/state.ts';
import { hashOf, Included } from '../../git/include-files.ts';
import { hasSubmodules, listWorktrees, ownCommits, readWorktree } from '../../git/worktrees.ts';
import type { WorktreeLosses } from '../../protocol/api/worktree.ts';
import type { SessionActor } from '../loop/session-actor.ts';

const SHOWN = 100;

export interface Losses {
  readonly losses: WorktreeLosses;
  /** Why it must stay, in words; undefined when nothing would be lost. */
  readonly summary: string | undefined;
  readonly head: string;
}

/**
 * What would be lost with this worktree: everything that is in no commit that others have, and that we didn't copy in ourselves. `folder` is where
 * its files are now.
 */
export async function lossesOf(session: SessionActor, worktree: SessionWorktree, folder = worktree.path): Promise<Losses | { readonly words: string }> {
  const listed = await listWorktrees(worktree.repo);
  if ('words' in listed) return listed;
  const entry = listed.find(({ path }) => path === folder);
  if (entry === undefined) return { words: `git no longer lists a worktree at ${folder}.` };
  if (entry.locked !== undefined)
    return { words: `It is locked${entry.locked === '' ? '' : `: ${entry.locked}`}. Unlock it with: git worktree unlock ${folder}` };
  if (entry.prunable !== undefined) return { words: `Its folder is gone: ${entry.prunable}` };
  if (await hasSubmodules(folder)) return { words: 'It has submodules, whose files can’t be saved here. Remove it by hand: git worktree remove --force.' };
  const facts = await readWorktree(folder, true);
  if ('words' in facts) return facts;
  const ignored = await changedIgnored(session, worktree, folder, facts.ignored);
  const commits = await ownCommits(worktree.repo, worktree.branch, SHOWN);
  const running = runningIn(session, worktree);
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

/** Agents in the folder, whichever session they belong to, and this worktree's run script: they write where nobody would look again. */
function runningIn({ state, context }: SessionActor, { path }: SessionWorktree): WorktreeLosses['running'] {
  const agents = [...context.sessions.values()].filter(
    (one) => one.state.run.phase !== 'none' && isIn(one.state.born?.cwd, path) && !one.state.id.startsWith('_'),
  );
  const scripts = runScripts(state);
  return [
    ...agents.map((one) => ({ sessionId: one.state.id, title: one.state.meta.title ?? one.state.meta.firstPrompt?.slice(0, 80) ?? one.state.id })),
    ...scripts.map(({ sessionId, command }) => ({ sessionId, title: `its run script (${command.slice(0, 80)})` })),
  ];
}

const isIn = (path: string | undefined, folder: string): boolean => path === folder || (path?.startsWith(`${folder}/`) ?? false);

/** Ignored files that are not exactly what was copied in. */
async function changedIgnored(
  { context }: SessionActor,
  { prepared }: SessionWorktree,
  folder: string,
  ignored: readonly string[],
): Promise<readonly string[]> {
  const blob = prepared?.included && context.deps.journal.blob(prepared.included.sha256);
  const copies = new Map((blob === undefined ? [] : Included.parse(JSON.parse(Buffer.from(blob).toString()))).map((copy) => [copy.path, copy.sha256]));
  const changed: string[] = [];
  for (const name of ignored) if (!(await isCopied(folder, name, copies))) changed.push(name);
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
      'processes that are running in it:',
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
