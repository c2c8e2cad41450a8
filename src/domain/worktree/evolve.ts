import type { EventOf } from '../../protocol/event.ts';
import type { SessionState, SessionWorktree } from '../session/state.ts';

/** What the events of a worktree change. Each step of it is a phase; a server that starts continues at the phase it finds. */
export function requested(state: SessionState, event: EventOf<'worktree.requested'>): SessionState {
  const { worktreeId, repo, path, branch, base, baseCommit, devPort, restores, actor } = event;
  const worktree: SessionWorktree = {
    ...(restores === true ? state.worktree : {}),
    worktreeId,
    repo,
    path,
    branch,
    base,
    baseCommit,
    phase: 'adding',
    attempts: 0,
    ...(devPort !== undefined && { devPort }),
    ...(actor !== undefined && { by: actor }),
    ...(restores === true && { restores: true }),
  };
  return { ...state, worktree };
}

export function prepared(state: SessionState, event: EventOf<'worktree.prepared'>): SessionState {
  const { head, copied, included, scripts } = event;
  return changed(state, {
    phase: 'prepared',
    prepared: { head, copied, ...(included !== undefined && { included }), ...(scripts !== undefined && { scripts }) },
  });
}

export const made = (state: SessionState, { head }: EventOf<'worktree.made'>): SessionState =>
  without(changed(state, { phase: 'made', head, attempts: 0 }), 'problem', 'removal', 'restores');

/** A failed removal leaves a worktree that can be used. */
export function failed(state: SessionState, { step, message }: EventOf<'worktree.failed'>): SessionState {
  const isRemoval = step === 'remove' || step === 'archive';
  return changed(state, { phase: isRemoval ? 'made' : 'failed', problem: { step, message }, attempts: 0 });
}

export const retried = (state: SessionState): SessionState => without(changed(state, { phase: 'adding', attempts: 0 }), 'problem');

export function removing(state: SessionState, event: EventOf<'worktree.removing'>): SessionState {
  const { archive, forced, head, script, checkpointId, commit, savedTo, actor } = event;
  const removal = {
    archive,
    forced,
    ...(script === true && { script: true as const }),
    ...(checkpointId !== undefined && { checkpointId }),
    ...(commit !== undefined && { commit }),
    ...(savedTo !== undefined && { savedTo }),
    ...(actor !== undefined && { by: actor }),
  };
  return without(changed(state, { phase: 'removing', head, removal, attempts: 0 }), 'problem');
}

export const removed = (state: SessionState): SessionState => changed(state, { phase: 'removed', attempts: 0 });

/** Every attempt at one of git's own steps is a script with a number. */
export function attempted(state: SessionState, scriptId: string): SessionState {
  const { worktree } = state;
  return worktree !== undefined && isStep(worktree, scriptId) ? changed(state, { attempts: worktree.attempts + 1 }) : state;
}

/** A project's script before it is none: after an archive script nobody has looked at the files yet. */
const isStep = ({ worktreeId }: SessionWorktree, scriptId: string): boolean =>
  scriptId.startsWith(`${worktreeId}-add-`) || scriptId.startsWith(`${worktreeId}-remove-`);

function changed(state: SessionState, change: Partial<SessionWorktree>): SessionState {
  return state.worktree === undefined ? state : { ...state, worktree: { ...state.worktree, ...change } };
}

function without(state: SessionState, ...fields: readonly ('problem' | 'removal' | 'restores')[]): SessionState {
  if (state.worktree === undefined) return state;
  const kept = Object.fromEntries(Object.entries(state.worktree).filter(([name]) => !fields.some((field) => field === name)));
  return { ...state, worktree: kept as unknown as SessionWorktree };
}
