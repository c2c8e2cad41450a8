import type { Draft } from '../session/draft.ts';
import type { SessionState } from '../session/state.ts';
import { WAITS_FOR_SLOT, waitsForSlot } from '../session/status.ts';

/** Whether the session waits for a slot and would take one. */
export const isInLine = (state: SessionState): boolean => waitsForSlot(state) && state.driver === null && !state.deleted;

/** First come, first served. Stable for sessions that came in the same millisecond, also after a restart. */
export const byArrival = (a: SessionState, b: SessionState): number => compare(a.status.at, b.status.at) || compare(a.id, b.id);

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Whether nothing is lost or kept waiting if the agent's process ends now. */
export const canSleep = ({ run, turn, tasks, queue, permissions }: SessionState): boolean =>
  run.phase === 'ready' && turn.phase === 'idle' && tasks.length === 0 && queue.length === 0 && permissions.length === 0;

/** Whether a session can start a process: a slot is free, and nobody is ahead in line. A session whose process is ending keeps its slot for the next one. */
export function mayStart(state: SessionState, others: readonly SessionState[], slots: number): boolean {
  const live = others.filter(({ run }) => run.phase !== 'none').length;
  const line = others.filter(isInLine);
  const ahead = isInLine(state) ? line.filter((other) => byArrival(other, state) < 0) : line;
  return live + ahead.length < slots;
}

/** Whose agents go to sleep so that the sessions in line can start: one for each, the longest idle first, unless enough processes are ending already. */
export function makesRoom(states: readonly SessionState[]): readonly SessionState[] {
  const ending = states.filter(({ run }) => run.phase === 'ending').length;
  const missing = Math.max(0, states.filter(isInLine).length - ending);
  return longestIdle(states).slice(0, missing);
}

/** Agents that can be put to sleep, the longest idle first. */
export const longestIdle = (states: readonly SessionState[]): readonly SessionState[] => states.filter(canSleep).sort(byArrival);

/** Joins the line for a slot, at its end. A session that is in line keeps its place. */
export function joinLine(draft: Draft): void {
  if (!waitsForSlot(draft.state)) draft.show('starting', WAITS_FOR_SLOT);
}

/** A session in line that no longer has anything to send gives its place away. */
export function leaveLine(draft: Draft, cause: string): void {
  if (waitsForSlot(draft.state)) draft.show('sleeping', cause);
}
