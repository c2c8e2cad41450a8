import { existsSync } from 'node:fs';
import { lstat, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { SessionWorktree } from '../../domain/session/state.ts';
import { endText, runGitStep, worktreeFailed } from '../../domain/worktree/decide.ts';
import { isSkipped } from '../../git/checkpoints.ts';
import { moveAway } from '../../git/saved-files.ts';
import { followMoved, listWorktrees, readWorktree } from '../../git/worktrees.ts';
import { SYSTEM } from '../../protocol/actor.ts';
import type { SessionActor } from '../loop/session-actor.ts';
import { lossesOf } from './losses.ts';
import { lastStep } from './make.ts';
import { restoreFiles } from './save.ts';

const ATTEMPTS = 3;
/** So many changed files are named. */
const SHOWN = 10;

/**
 * Removes a worktree whose removal is decided, however far an earlier server got. Its folder is renamed first: then nobody writes into it by its path,
 * one more look finds what was written before, and git deletes what nobody reaches anymore. Throws when git can't be asked now: it is tried again.
 */
export async function continueRemoval(session: SessionActor, worktree: SessionWorktree): Promise<void> {
  const { removal, repo, path, attempts } = worktree;
  const aside = asideOf(worktree);
  const paths = await listedPaths(repo);
  if (removal === undefined) return;
  const isGone = !paths.has(aside) && !paths.has(path);
  if (isGone && (attempts > 0 || !existsSync(path))) return session.note((draft) => removed(draft, existsSync(aside) ? aside : undefined));
  const last = lastStep(session, worktree, 'remove');
  if (last !== undefined && last.code !== null && last.code !== 0) return fail(session, worktree, endText(last));
  if (attempts >= ATTEMPTS) return fail(session, worktree, last === undefined ? 'git did not remove it.' : endText(last));
  // A git that was killed has deleted some of the files, perhaps even those that make it a worktree. What is left was looked at before.
  if (attempts > 0 && !paths.has(path)) await rm(aside, { recursive: true, force: true });
  else {
    const problem = await setAside(session, worktree);
    if (problem !== undefined) return fail(session, worktree, problem);
  }
  session.note((draft) => runGitStep(draft, 'remove', ['git', '-C', repo, 'worktree', 'remove', '--force', aside]));
}

/** Beside the worktree, so that renaming moves no bytes. No other worktree is called this: its id is in it. */
const asideOf = ({ path, worktreeId }: SessionWorktree): string => `${path}.removing-${worktreeId}`;

async function listedPaths(repo: string): Promise<ReadonlySet<string>> {
  const listed = await listWorktrees(repo);
  if ('words' in listed) throw new Error(listed.words);
  return new Set(listed.map(({ path }) => path));
}

/** Renames the worktree's folder and looks at it. Returns why it must stay, if so. A server that was killed in between starts again from the beginning. */
async function setAside(session: SessionActor, worktree: SessionWorktree): Promise<string | undefined> {
  const { path, repo } = worktree;
  const aside = asideOf(worktree);
  await moveBackToPath(worktree);
  if (existsSync(aside)) return `There is something else at ${path}.`;
  const since = Date.now();
  const changed = await changedSinceSaved(session, worktree);
  if (changed !== undefined) return changed;
  try {
    await rename(path, aside);
  } catch (error) {
    return `Its folder can’t be renamed: ${error instanceof Error ? error.message : String(error)}`;
  }
  const problem = await followMoved(repo, aside);
  if (problem !== undefined) return problem;
  return (await listedPaths(repo)).has(aside) ? lastLook(session, worktree, since) : `git does not recognize the worktree in ${aside}.`;
}

async function moveBackToPath(worktree: SessionWorktree): Promise<void> {
  const { path, repo } = worktree;
  const aside = asideOf(worktree);
  if (existsSync(aside) && !existsSync(path)) await rename(aside, path);
  if (!existsSync(aside) && (await listedPaths(repo)).has(aside)) await followMoved(repo, path);
}

/** A forced removal goes by its checkpoint. What was edited after it, for example by the archive script, is in no checkpoint yet. */
async function changedSinceSaved({ context }: SessionActor, { path, removal }: SessionWorktree): Promise<string | undefined> {
  if (removal?.commit === undefined) return undefined;
  const compared = await (await context.checkpointWork.checkpoints()).compare(path, removal.commit);
  if (isSkipped(compared)) return compared.skipped;
  // What is no longer there was moved away by an earlier try, or is in the checkpoint.
  return changedText(compared.differences.filter((one) => one.new !== undefined).map((one) => one.path));
}

const changedText = (paths: readonly string[]): string | undefined =>
  paths.length === 0
    ? undefined
    : `Files were changed while it was being removed: ${paths.slice(0, SHOWN).join(', ')}${paths.length > SHOWN ? ' and more' : ''}. Nothing was lost; remove it again.`;

/** Clocks of disks lag behind by a few milliseconds. */
const CLOCK_MS = 100;

/** What was written between the first look and the renaming keeps the worktree, or is moved away too. */
async function lastLook(session: SessionActor, worktree: SessionWorktree, since: number): Promise<string | undefined> {
  const { removal } = worktree;
  const aside = asideOf(worktree);
  if (removal?.forced !== true) {
    const losses = await lossesOf(session, worktree, aside);
    return 'words' in losses ? losses.words : losses.summary;
  }
  const facts = await readWorktree(aside, true);
  if ('words' in facts) return facts.words;
  const late: string[] = [];
  for (const name of facts.uncommitted) {
    const found = await lstat(join(aside, name)).catch(() => undefined);
    if (found !== undefined && found.ctimeMs > since - CLOCK_MS) late.push(name);
  }
  const changed = changedText(late);
  // Untracked files are in the checkpoint too, except very large ones and nested repositories.
  if (changed === undefined && removal.savedTo !== undefined) await moveAway(aside, [...facts.ignored, ...facts.untracked], removal.savedTo);
  return changed;
}

/** What was moved goes back first, however often it takes: a worktree that stays has all its files, and the next removal saves them again. */
async function fail(session: SessionActor, worktree: SessionWorktree, message: string): Promise<void> {
  const { path } = worktree;
  const aside = asideOf(worktree);
  await moveBackToPath(worktree);
  // Git deleted the files, which are saved, and only then failed.
  if (!existsSync(path)) return session.note((draft) => removed(draft, undefined));
  const where = existsSync(aside) ? ` Its files are in ${aside}.` : '';
  const problem = where === '' ? await restoreFiles(session, worktree, 'missing') : undefined;
  if (problem !== undefined) throw new Error(problem);
  session.note((draft) => worktreeFailed(draft, 'remove', `${message}${where}`));
}

/** `left`: a process that was still in the folder wrote something after git had looked. */
function removed(draft: Parameters<Parameters<SessionActor['note']>[0]>[0], left: string | undefined): void {
  const { worktree } = draft.state;
  const removal = worktree?.removal;
  if (worktree === undefined || removal === undefined) return;
  const { archive, forced, checkpointId } = removal;
  const actor = removal.by ?? SYSTEM;
  draft.emit({
    type: archive ? 'worktree.archived' : 'worktree.removed',
    worktreeId: worktree.worktreeId,
    branchKept: true,
    forced,
    actor,
    ...(checkpointId !== undefined && { checkpointId }),
    ...(left !== undefined && { left }),
  });
  if (archive) draft.emit({ type: 'meta.changed', archived: true, actor });
}
