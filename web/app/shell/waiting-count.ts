import type { AppState } from '../../store/state/app-state.ts';

/** The number of pending requests in all sessions. */
export function waitingCount(state: AppState): number {
  let count = 0;
  for (const session of state.sessions.values()) count += session.waiting;
  return count;
}
