import type { Track } from '../../protocol/api/panel.ts';

interface Stretch {
  readonly from: number;
  readonly to?: number | undefined;
}

export const isOpen = (stretch: Stretch): boolean => stretch.to === undefined;

/** Agents' own times may run backwards a little; nothing lasts less than no time. */
export const ended = <T extends Stretch>(stretch: T, at: number): T => (isOpen(stretch) ? { ...stretch, to: Math.max(stretch.from, at) } : stretch);

export const allEnded = <T extends Stretch>(all: T[], at: number): T[] => (all.some(isOpen) ? all.map((one) => ended(one, at)) : all);

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
  const latest = all.length > most ? all.slice(-most) : all;
  const isOld = ({ to }: Stretch): boolean => to !== undefined && to < since;
  return latest.some(isOld) ? latest.filter((one) => !isOld(one)) : latest;
}
