import type { Track } from '../../protocol/api/panel.ts';

/** What a line does now, and since when it does it. */
export interface Standing {
  readonly what: 'running' | 'waiting' | 'resting';
  readonly since: number;
}

export function standingOf({ waits, turns, rests, status, from }: Track): Standing {
  const wait = waits.find(({ to }) => to === undefined);
  if (wait !== undefined) return { what: 'waiting', since: wait.from };
  const turn = turns.findLast(({ to }) => to === undefined);
  if (turn !== undefined) return { what: 'running', since: turn.from };
  const rest = rests.findLast(({ to }) => to === undefined);
  return { what: 'resting', since: rest?.from ?? turns.at(-1)?.to ?? status?.at ?? from };
}

/** When something was last seen to happen on it: now, while anything is open. */
export function lastMoved(track: Track, now: number): number {
  const { what, since } = standingOf(track);
  return what === 'resting' ? since : now;
}
