import { isSession } from '../../../src/protocol/ids.ts';
import type { AppState } from '../../store/state/app-state.ts';

/** The number of pending requests of all sessions and plans. */
export function waitingCount(state: AppState): number {
  let count = 0;
  for (const session of state.sessions.values()) count += session.waiting;
  for (const { sessionId } of state.permissions) if (!isSession(sessionId)) count += 1;
  return count;
}
