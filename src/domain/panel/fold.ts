import type { Move, Track, TrackTurn } from '../../protocol/api/panel.ts';

/** How far back a track remembers: the widest window that the panel can show. */
export const HORIZON_MS = 4 * 60 * 60_000;

/** A track after one more move. A move that was already folded changes nothing, so a repeat is harmless. */
export function foldMove(track: Track | undefined, move: Move): Track {
  if (track !== undefined && move.seq <= track.seq) return track;
  const before = track ?? { ...EMPTY, from: move.at };
  return bounded({ ...apply(before, move), seq: move.seq }, move.at - HORIZON_MS);
}

const EMPTY: Omit<Track, 'from'> = { seq: 0, turns: [], calls: [], waits: [], rests: [], compactions: [] };

function apply(track: Track, move: Move): Track {
  switch (move.type) {
    case 'born':
      return { ...track, bornAt: move.at, from: move.at, ...(move.parent !== undefined && { parent: move.parent }) };
    case 'began':
      return began(awake(stopped(track, move.at), move.at), move);
    case 'ended':
      return endTurn(track, move);
    case 'called':
      return called(track, move);
    case 'returned':
      return { ...track, calls: changed(track.calls, move.id, (call) => ({ ...ended(call, move.at), ...(move.failed && !call.denied && { failed: true }) })) };
    case 'asked':
      return asked(track, move);
    case 'answered':
      return answered(track, move);
    case 'stood':
      return stood(track, move);
    case 'compacted': {
      const { type: _, ...compaction } = move;
      return { ...track, compactions: [...track.compactions, compaction] };
    }
  }
}

function asked(track: Track, move: MoveOf<'asked'>): Track {
  const { seq, at, id, what, call } = move;
  return { ...inTurn(track, move), waits: [...track.waits, { seq, from: at, id, what, ...(call !== undefined && { call }) }] };
}

/** A denied call never runs. */
function answered(track: Track, { at, id, how }: MoveOf<'answered'>): Track {
  const call = how === 'denied' ? track.waits.findLast((wait) => wait.id === id)?.call : undefined;
  return {
    ...track,
    waits: changed(track.waits, id, (wait) => ({ ...ended(wait, at), how })),
    ...(call !== undefined && { calls: changed(track.calls, call, (one) => ({ ...one, denied: true })) }),
  };
}

type MoveOf<T extends Move['type']> = Extract<Move, { type: T }>;

const began = (track: Track, { seq, at }: Pick<Move, 'seq' | 'at'>): Track => ({ ...track, turns: [...track.turns, { seq, from: at, calls: 0 }] });

/** The first known move can be in the middle of a turn: then the turn is drawn from there. */
function inTurn(track: Track, move: Pick<Move, 'seq' | 'at'>): Track {
  return track.turns.length === 0 && track.bornAt === undefined ? began(track, move) : track;
}

function endTurn(track: Track, { seq, at, how, words, forMs }: MoveOf<'ended'>): Track {
  const known = track.turns.some(isOpen) ? track : began(track, { seq, at: at - (forMs ?? 0) });
  const over = stopped(known, at);
  return { ...over, turns: over.turns.with(-1, { ...lastTurn(over), how, ...(words !== undefined && { words }) }) };
}

const lastTurn = ({ turns }: Track): TrackTurn => turns.at(-1) ?? { seq: 0, from: 0, calls: 0 };

/** When a turn ends, everything open in it ends too. */
const stopped = (track: Track, at: number): Track => ({
  ...track,
  turns: allEnded(track.turns, at),
  calls: allEnded(track.calls, at),
  waits: allEnded(track.waits, at),
});

const awake = (track: Track, at: number): Track => ({ ...track, rests: allEnded(track.rests, at) });

function called(track: Track, { seq, at, id, what, todo }: MoveOf<'called'>): Track {
  const { turns, ...rest } = inTurn(track, { seq, at });
  const turn = turns.at(-1);
  return {
    ...rest,
    turns: turn === undefined || !isOpen(turn) ? turns : turns.with(-1, { ...turn, calls: turn.calls + 1 }),
    calls: [...track.calls, { seq, from: at, id, what }],
    ...(todo !== undefined && { todo }),
  };
}

/** Changes the latest open one with this id; the others stay the same objects. */
function changed<T extends { readonly id: string; readonly from: number; readonly to?: number | undefined }>(all: T[], id: string, by: (one: T) => T): T[] {
  const index = all.findLastIndex((one) => one.id === id && isOpen(one));
  const found = all[index];
  return found === undefined ? all : all.with(index, by(found));
}

function stood(track: Track, { seq, at, status, why }: MoveOf<'stood'>): Track {
  const now = { ...track, status: { status, seq, at } };
  if (status !== 'sleeping' && status !== 'ended' && status !== 'failed') return awake(now, at);
  const resting = awake(stopped(now, at), at);
  return { ...resting, rests: [...resting.rests, { seq, from: at, how: status, why }] };
}

interface Interval {
  readonly from: number;
  readonly to?: number | undefined;
}

const isOpen = (interval: Interval): boolean => interval.to === undefined;

/** Agents' own times can run backwards a little; no duration is negative. */
const ended = <T extends Interval>(interval: T, at: number): T => (isOpen(interval) ? { ...interval, to: Math.max(interval.from, at) } : interval);

const allEnded = <T extends Interval>(all: T[], at: number): T[] => (all.some(isOpen) ? all.map((one) => ended(one, at)) : all);

/** More than these cannot be told apart on screen; the oldest are dropped first. */
const KEPT = { turns: 150, calls: 240, waits: 60, rests: 40, compactions: 20 } as const;

/** Keeps what is open or ended after `since`, and no more of it than can be drawn. */
function bounded(track: Track, since: number): Track {
  return {
    ...track,
    turns: recent(track.turns, since, KEPT.turns),
    calls: recent(track.calls, since, KEPT.calls),
    waits: recent(track.waits, since, KEPT.waits),
    rests: recent(track.rests, since, KEPT.rests),
    compactions: track.compactions.filter(({ at }) => at >= since).slice(-KEPT.compactions),
  };
}

function recent<T extends Interval>(all: T[], since: number, most: number): T[] {
  const latest = all.length > most ? all.slice(-most) : all;
  const isOld = ({ to }: Interval): boolean => to !== undefined && to < since;
  return latest.some(isOld) ? latest.filter((one) => !isOld(one)) : latest;
}
