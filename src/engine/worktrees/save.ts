import type { SessionWorktree } from '../../domain/session/state.ts';
import type { Refusal } from '../../protocol/command.ts';
import type { SessionActor } from '../loop/session-actor.ts';

export interface SavedFiles {
  readonly checkpointId?: string;
  readonly commit?: string;
  readonly savedTo?: string;
}

/** Saves everything that a forced removal would lose. Ignored files are moved to `folder` when the removal goes on. */
export async function saveFiles(_session: SessionActor, _worktree: SessionWorktree, _folder: string): Promise<SavedFiles | Refusal> {
  return { refused: 'not-supported', message: 'This version can’t save the files of a worktree yet, so it doesn’t remove them by force.' };
}
