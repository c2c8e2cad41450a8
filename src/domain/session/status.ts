import type { Status } from '../../protocol/session.ts';
import { inFlight } from '../queue/queue.ts';
import type { SessionState } from './state.ts';

/** The status a state must show. Resting ones (sleeping, ended, failed) are kept as they came. */
export function statusOf(state: SessionState): Status {
  if (state.permissions.length > 0) return 'waiting';
  if (state.run.phase === 'none') return waitsForPlace(state) ? 'starting' : resting(state.status.status);
  if (state.turn.phase === 'running') return 'busy';
  if (state.run.phase === 'opened') return 'starting';
  // A subagent works; a command in the background (a server, a watcher) may run for days and keeps nobody from speaking.
  const works = inFlight(state.queue) !== undefined || state.tasks.some((task) => task.kind === 'subagent');
  return works ? 'busy' : 'idle';
}

/** Without a process nothing is busy; what the last exit said stays true until something else happens. */
function resting(status: Status): Status {
  return status === 'ended' || status === 'failed' ? status : 'sleeping';
}

/** The cause shown while a session has something to do and no place to run. */
export const WAITS_FOR_PLACE = 'waits for a free place';

export const waitsForPlace = (state: SessionState): boolean => state.run.phase === 'none' && state.status.cause === WAITS_FOR_PLACE;

/** Ended by us, and ready to go on. */
const RESTS_ASLEEP: ReadonlySet<string> = new Set(['sleep', 'never-began', 'handover', 'stuck', 'restart']);

export type Rest = Extract<Status, 'sleeping' | 'ended' | 'failed'>;

/** How a session rests after its process has gone for this reason. */
export function restAfter(reason: string): Rest {
  if (RESTS_ASLEEP.has(reason)) return 'sleeping';
  if (reason === 'died' || reason === 'could-not-start') return 'failed';
  return 'ended';
}
