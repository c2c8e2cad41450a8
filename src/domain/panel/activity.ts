import type { Track } from '../../protocol/api/panel.ts';

/** What a session is doing now, and since when. */
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

/** When it was last active: now, while anything is open. */
export function lastActiveAt(track: Track, now: number): number {
  const { what, since } = activityOf(track);
  return what === 'resting' ? since : now;
}
