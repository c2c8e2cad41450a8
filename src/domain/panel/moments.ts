import type { Track } from '../../protocol/panel.ts';

/** Something on a track that a person can point at; `seq` is where the transcript tells of it. */
export interface Moment {
  readonly kind: 'turn' | 'call' | 'wait' | 'rest' | 'compaction';
  readonly seq: number;
  readonly from: number;
  readonly to?: number | undefined;
  readonly isOver: boolean;
  /** What it was, in the words of the event. */
  readonly what: string;
  /** How it ended. */
  readonly how?: string | undefined;
  readonly calls?: number;
}

/** Everything on a track, in the order of time. */
export function momentsOf(track: Track): readonly Moment[] {
  const moments: Moment[] = [
    ...track.turns.map((turn) => ({ ...stretch(turn), kind: 'turn' as const, what: turn.words ?? '', how: turn.how, calls: turn.calls })),
    ...track.calls.map((call) => ({ ...stretch(call), kind: 'call' as const, what: call.what, how: call.failed ? 'failed' : undefined })),
    ...track.waits.map((wait) => ({ ...stretch(wait), kind: 'wait' as const, what: wait.what, how: wait.how })),
    ...track.rests.map((rest) => ({ ...stretch(rest), kind: 'rest' as const, what: rest.why, how: rest.how })),
    ...track.compactions.map(({ seq, at, before, after }) => ({
      ...stretch({ seq, from: at, to: at }),
      kind: 'compaction' as const,
      what: before === undefined ? '' : after === undefined ? `${before}` : `${before} ${after}`,
    })),
  ];
  return moments.sort((a, b) => a.from - b.from || a.seq - b.seq);
}

const stretch = ({ seq, from, to }: { readonly seq: number; readonly from: number; readonly to?: number | undefined }) => ({
  seq,
  from,
  to,
  isOver: to !== undefined,
});

/** What is drawn on top is found first. */
const NARROWNESS = { compaction: 0, wait: 1, call: 2, turn: 3, rest: 4 } as const;

/** What a person points at: the narrowest thing that reaches to within `slack` of the moment. */
export function momentAt(track: Track, at: number, slack: number): Moment | undefined {
  const reached = momentsOf(track).filter(({ from, to, kind, isOver }) => {
    // A signal stands where the wait began; once it is passed only the sign itself is there.
    const end = kind === 'wait' && isOver ? from : to;
    return from - slack <= at && (end === undefined || at <= end + slack);
  });
  const distance = ({ from, to }: Moment): number => (at < from ? from - at : to !== undefined && at > to ? at - to : 0);
  return reached.sort((a, b) => NARROWNESS[a.kind] - NARROWNESS[b.kind] || distance(a) - distance(b)).at(0);
}
