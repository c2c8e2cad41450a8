import type { Track } from '../../protocol/api/panel.ts';

/** What a line does now, and since when it does it. */
export interface Activity {
  readonly what: 'running' | 'waiting' | 'resting';
  readonly since: number;
}

export function activityOf({ waits, turns, rests, status, from }: Track): Activity {
  const wait = waits.find(({ to }) => to === undefined);
  if (wait !== undefined) return { what: 'waiting', since: wait.from };
  const turn = turns.findLast(({ to }) => to === undefined);
  if (turn !== undefined) return { what: 'running', since: turn.from };
  const rest = rests.findLast(({ to }) => to === undefined);
  return { what: 'resting', since: rest?.from ?? turns.at(-1)?.to ?? status?.at ?? from };
}

/** When something was last seen to happen on it: now, while anything is open. */
export function lastActiveAt(track: Track, now: number): number {
  const { what, since } = activityOf(track);
  return what === 'resting' ? since : now;
}
