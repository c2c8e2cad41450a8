import type { Track } from '../../protocol/panel.ts';

interface Stretch {
  readonly from: number;
  readonly to?: number | undefined;
}

export const isOpen = (stretch: Stretch): boolean => stretch.to === undefined;

/** Agents' own times may run backwards a little; nothing lasts less than no time. */
export const ended = <T extends Stretch>(stretch: T, at: number): T => (isOpen(stretch) ? { ...stretch, to: Math.max(stretch.from, at) } : stretch);

/** More than these cannot be told apart in a picture; the oldest go first. */
const KEPT = { turns: 150, calls: 240, waits: 60, rests: 40, compactions: 20 } as const;

/** Only what still reaches into the time after `since`, and not more of it than can be drawn. */
export function bounded(track: Track, since: number): Track {
  return {
    ...track,
    turns: lately(track.turns, since, KEPT.turns),
    calls: lately(track.calls, since, KEPT.calls),
    waits: lately(track.waits, since, KEPT.waits),
    rests: lately(track.rests, since, KEPT.rests),
    compactions: track.compactions.filter(({ at }) => at >= since).slice(-KEPT.compactions),
  };
}

function lately<T extends Stretch>(all: T[], since: number, most: number): T[] {
  const first = all[0];
  if (all.length <= most && (first?.to === undefined || first.to >= since)) return all;
  return all.filter(({ to }) => to === undefined || to >= since).slice(-most);
}
