import type { CommandOf, Refusal } from '../../protocol/command.ts';
import type { EventBodyOf } from '../../protocol/event.ts';
import type { CheckpointId } from '../../protocol/ids.ts';
import { inFlight } from '../queue/queue.ts';
import { advance } from './advance.ts';
import type { Draft } from './draft.ts';
import type { SessionState } from './state.ts';

/** What the engine found out before it decides about a revert. */
export interface RevertGround {
  /** The checkpoint to which the named event leads. */
  readonly checkpointId?: CheckpointId | undefined;
  /** Another session that works in the same folder right now, in words. */
  readonly busy?: string | undefined;
}

/** Whether this session's agent, or a command it left running, can change files right now. */
export const isWorking = (state: SessionState): boolean =>
  state.run.phase !== 'none' && (state.turn.phase === 'running' || inFlight(state.queue) !== undefined || state.tasks.some((task) => task.kind === 'subagent'));

/** Restores files from a checkpoint. Until it is done, the agent gets no message. */
export function revert(draft: Draft, command: CommandOf<'files.revert'>, ground: RevertGround | undefined): Refusal | undefined {
  const refusal = refusedRevert(draft.state, ground, draft.now.hasDiskSpace);
  if (refusal !== undefined) return refusal;
  const { commandId, to, paths, force } = command;
  const checkpointId = ground?.checkpointId;
  if (checkpointId === undefined) return { refused: 'not-found', message: `There is no checkpoint at or before event ${to} of this session.` };
  draft.emit({ type: 'revert.requested', commandId, to, checkpointId, ...(paths !== undefined && { paths }), ...(force !== undefined && { force }) });
  draft.effect({ type: 'revert' });
  return undefined;
}

/** Why files can't be restored now. */
export function refusedRevert(state: SessionState, ground: RevertGround | undefined, hasDiskSpace: boolean): Refusal | undefined {
  if (isWorking(state)) return { refused: 'conflict', message: 'The agent is working. Interrupt it, or wait for the turn to end, before you restore files.' };
  if (ground?.busy !== undefined)
    return { refused: 'conflict', message: `${ground.busy} is working in this folder. Interrupt it, or wait, before you restore files.` };
  if (state.reverting !== undefined) return { refused: 'conflict', message: 'Files of this session are being restored right now. Try again in a moment.' };
  if (!hasDiskSpace)
    return { refused: 'disk-low', message: 'The disk is nearly full, so the current files could not be kept first. Free some space, then try again.' };
  return undefined;
}

/** The files are written: the queue continues. */
export function finishRevert(draft: Draft, done: Omit<EventBodyOf<'revert.done'>, 'type'>): void {
  draft.emit({ type: 'revert.done', ...done });
  advance(draft, 'revert.done');
}
