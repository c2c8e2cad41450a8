import type { Status } from '../../protocol/session.ts';
import { inFlight } from '../queue/queue.ts';
import { isMaking } from '../worktree/decide.ts';
import type { SessionState } from './state.ts';

/** The status of a state. Resting statuses (sleeping, ended, failed) stay until something happens. */
export function statusOf(state: SessionState): Status {
  if (state.permissions.length > 0) return 'waiting';
  if (state.run.phase === 'none' && state.driver !== null && state.terminal?.idleSince !== undefined) return 'idle';
  if (state.run.phase === 'none')
    return waitsForSlot(state) || (isMaking(state) && state.status.status !== 'ended') ? 'starting' : resting(state.status.status);
  if (state.turn.phase === 'running') return 'busy';
  if (state.run.phase === 'opened') return 'starting';
  // A subagent counts as work; a background command (a server, a watcher) can run for days and doesn't block new messages.
  const isWorking = inFlight(state.queue) !== undefined || state.tasks.some((task) => task.kind === 'subagent');
  if (isWorking) return 'busy';
  return state.turnFailed === true ? 'failed' : 'idle';
}

/** Without a process nothing is busy; the status of the last exit stays until something else happens. */
function resting(status: Status): Status {
  return status === 'ended' || status === 'failed' ? status : 'sleeping';
}

/** The cause that people see while a session has work to do and every slot for a live agent is taken. */
export const WAITS_FOR_SLOT = 'waiting for a free slot';
/** The same cause in journals written by version 1. */
const WAITED_FOR_PLACE = 'waits for a free place';

export const waitsForSlot = ({ run, status }: SessionState): boolean =>
  run.phase === 'none' && (status.cause === WAITS_FOR_SLOT || status.cause === WAITED_FOR_PLACE);

/** Ended by Signalbox, and ready to continue. */
const RESTS_ASLEEP: ReadonlySet<string> = new Set(['sleep', 'never-began', 'handover', 'stuck', 'restart']);

export type Rest = Extract<Status, 'sleeping' | 'ended' | 'failed'>;

/** How a session rests after its process exited for this reason. A failed turn stays visible while the agent sleeps. */
export function restAfter(reason: string, turnFailed = false): Rest {
  if (RESTS_ASLEEP.has(reason)) return turnFailed ? 'failed' : 'sleeping';
  if (reason === 'died' || reason === 'could-not-start') return 'failed';
  return 'ended';
}
