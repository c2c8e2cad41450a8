import type { SessionWorktree } from '../../domain/session/state.ts';
import { isSkipped } from '../../git/checkpoints.ts';
import { moveBack } from '../../git/saved-files.ts';
import type { Refusal } from '../../protocol/command.ts';
import { takeNow } from '../checkpoints/take-checkpoint.ts';
import type { SessionActor } from '../loop/session-actor.ts';

export interface SavedFiles {
  readonly checkpointId?: string;
  readonly commit?: string;
  readonly savedTo?: string;
}

/** Takes a checkpoint of everything that a forced removal would lose. What git ignores is moved to `folder` when the removal goes on. */
export async function saveFiles(session: SessionActor, worktree: SessionWorktree, folder: string): Promise<SavedFiles | Refusal> {
  const taken = await takeNow(session, 'remove', { folder: worktree.path });
  if (isSkipped(taken)) return { refused: 'conflict', message: `The files can’t be saved first: ${taken.skipped}. Nothing was removed.` };
  return { ...taken, savedTo: folder };
}

/**
 * Brings back what a forced removal saved; also after an earlier try that was cut short. Returns why it could not, if so. Where the worktree stays,
 * only what is missing comes back: a file that is there may be newer.
 */
export async function restoreFiles(
  { context }: SessionActor,
  { path, removal }: SessionWorktree,
  which: 'all' | 'missing' = 'all',
): Promise<string | undefined> {
  const { savedTo, commit } = removal ?? {};
  if (savedTo !== undefined) await moveBack(savedTo, path);
  if (commit === undefined) return undefined;
  const store = await context.checkpointWork.checkpoints();
  const compared = await store.compare(path, commit);
  if (isSkipped(compared)) return compared.skipped;
  const wanted = compared.differences.filter((one) => which === 'all' || one.new === undefined);
  const writes = wanted.map(({ path: file, old, new: now }) => ({ path: file, now, target: old }));
  const outcomes = await store.write(path, writes, () => context.closing);
  if (isSkipped(outcomes)) return outcomes.skipped;
  const refused = outcomes.filter(({ result }) => result === 'refused');
  return refused.length === 0 ? undefined : `These files could not be restored: ${refused.map(({ path: file, why }) => `${file} (${why})`).join(', ')}`;
}
