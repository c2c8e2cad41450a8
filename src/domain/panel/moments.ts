import type { Track, TrackCall, TrackCompaction, TrackRest, TrackTurn, TrackWait } from '../../protocol/api/panel.ts';

/** Something on a track that a person can point at; `seq` is its place in the transcript. */
export type Moment =
  | ({ readonly kind: 'turn' } & TrackTurn)
  | ({ readonly kind: 'call' } & TrackCall)
  | ({ readonly kind: 'wait' } & TrackWait)
  | ({ readonly kind: 'rest' } & TrackRest)
  | ({ readonly kind: 'compaction'; readonly from: number; readonly to: number } & TrackCompaction);

/** Everything on a track, ordered by time. */
export function momentsOf(track: Track): readonly Moment[] {
  const moments: Moment[] = [
    ...track.turns.map((turn) => ({ kind: 'turn' as const, ...turn })),
    ...track.calls.map((call) => ({ kind: 'call' as const, ...call })),
    ...track.waits.map((wait) => ({ kind: 'wait' as const, ...wait })),
    ...track.rests.map((rest) => ({ kind: 'rest' as const, ...rest })),
    ...track.compactions.map((compaction) => ({ kind: 'compaction' as const, from: compaction.at, to: compaction.at, ...compaction })),
  ];
  return moments.sort((a, b) => a.from - b.from || a.seq - b.seq);
}

/** What is drawn on top is found first. */
const ON_TOP = { compaction: 0, wait: 1, call: 2, turn: 3, rest: 4 } as const;

/** What a person points at: of everything within `slack` of this time, the topmost, then the nearest. */
export function momentAt(track: Track, at: number, slack: number): Moment | undefined {
  const near = momentsOf(track).filter((moment) => moment.from - slack <= at && at <= (end(moment) ?? at) + slack);
  const distance = (moment: Moment): number => Math.max(0, moment.from - at, at - (end(moment) ?? at));
  return near.sort((a, b) => ON_TOP[a.kind] - ON_TOP[b.kind] || distance(a) - distance(b))[0];
}

/** A signal is drawn where the wait started; once it is passed, it has no length. */
const end = (moment: Moment): number | undefined => (moment.kind === 'wait' && moment.to !== undefined ? moment.from : moment.to);
