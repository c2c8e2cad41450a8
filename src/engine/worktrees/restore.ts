import type { SessionWorktree } from '../../domain/session/state.ts';
import { moveBack } from '../../git/saved-files.ts';
import type { SessionActor } from '../loop/session-actor.ts';

/** Brings back what a forced removal saved. Returns why it could not, if so. */
export async function restoreFiles(_session: SessionActor, worktree: SessionWorktree): Promise<string | undefined> {
  const { savedTo } = worktree.removal ?? {};
  if (savedTo !== undefined) await moveBack(savedTo, worktree.path);
  return undefined;
}
