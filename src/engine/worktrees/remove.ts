import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { SessionWorktree } from '../../domain/session/state.ts';
import { endText, runGitStep, worktreeFailed } from '../../domain/worktree/decide.ts';
import { moveAway } from '../../git/saved-files.ts';
import { listWorktrees, readWorktree } from '../../git/worktrees.ts';
import { SYSTEM } from '../../protocol/actor.ts';
import type { SessionActor } from '../loop/session-actor.ts';
import { lossesOf } from './losses.ts';
import { lastStep } from './make.ts';
import { restoreFiles } from './save.ts';

const ATTEMPTS = 3;

/** Removes a worktree whose removal is decided, however far an earlier server got. Throws when git can't be asked now: it is tried again. */
export async function continueRemoval(session: SessionActor, worktree: SessionWorktree): Promise<void> {
  const { removal, repo, path } = worktree;
  const listed = await listWorktrees(repo);
  if ('words' in listed) throw new Error(listed.words);
  const isListed = listed.some((one) => one.path === path);
  if (removal === undefined) return;
  if (!isListed && !existsSync(path)) return session.note((draft) => removed(draft.state.worktree, draft));
  const last = lastStep(session, worktree, 'remove');
  if (last !== undefined && last.code !== null && last.code !== 0) return fail(session, worktree, endText(last));
  if (worktree.attempts >= ATTEMPTS) return fail(session, worktree, last === undefined ? 'git did not remove it.' : endText(last));
  // Someone may have written into it since it was decided. A git that was killed has already deleted files, perhaps even those that make it a worktree.
  if (worktree.attempts > 0) await rm(path, { recursive: true, force: true });
  const problem = worktree.attempts > 0 ? undefined : await lastLook(session, worktree);
  if (problem !== undefined) return fail(session, worktree, problem);
  session.note((draft) => runGitStep(draft, 'remove', ['git', '-C', repo, 'worktree', 'remove', '--force', path]));
}

async function lastLook(session: SessionActor, worktree: SessionWorktree): Promise<string | undefined> {
  const { removal, path } = worktree;
  if (removal?.forced !== true) {
    const losses = await lossesOf(session, worktree);
    return 'words' in losses ? losses.words : losses.summary;
  }
  const facts = await readWorktree(path, true);
  if ('words' in facts) throw new Error(facts.words);
  // Untracked files are in the checkpoint too, except very large ones and nested repositories.
  if (removal.savedTo !== undefined) await moveAway(path, [...facts.ignored, ...facts.untracked], removal.savedTo);
  return undefined;
}

/** What was saved goes back first, however often it takes: a worktree that stays has all its files, and the next removal saves them again. */
async function fail(session: SessionActor, worktree: SessionWorktree, message: string): Promise<void> {
  const problem = await restoreFiles(session, worktree);
  if (problem !== undefined) throw new Error(problem);
  session.note((draft) => worktreeFailed(draft, 'remove', message));
}

function removed(worktree: SessionWorktree | undefined, draft: Parameters<Parameters<SessionActor['note']>[0]>[0]): void {
  const removal = worktree?.removal;
  if (worktree === undefined || removal === undefined) return;
  const { archive, forced, checkpointId } = removal;
  const actor = removal.by ?? SYSTEM;
  const facts = { worktreeId: worktree.worktreeId, branchKept: true, forced, actor, ...(checkpointId !== undefined && { checkpointId }) };
  draft.emit({ type: archive ? 'worktree.archived' : 'worktree.removed', ...facts });
  if (archive) draft.emit({ type: 'meta.changed', archived: true, actor });
}
