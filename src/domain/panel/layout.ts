import type { Track, TrackTurn } from '../../protocol/api/panel.ts';

/** A span of time; without `to` it reaches to now. */
export interface Span {
  readonly from: number;
  readonly to?: number | undefined;
}

/** `live` moves, `stands` waits at a signal, `past` is over. */
export type Pace = 'live' | 'stands' | 'past';

/** A stretch of a turn without waiting for a person, and the calls inside it. */
export interface Piece extends Span {
  readonly pace: Pace;
  readonly calls: readonly Span[];
}

/** Where everything on one track is in time: all that drawing needs, except the scale. */
export interface Layout {
  readonly rails: readonly Span[];
  readonly sidings: readonly Span[];
  readonly pieces: readonly Piece[];
  /** Open signals and those that were passed. */
  readonly signals: readonly { readonly at: number; readonly isOpen: boolean }[];
  readonly buffers: readonly number[];
  readonly compactions: readonly number[];
  /** The head of the running turn; while it moves it is at now. */
  readonly train: { readonly pace: 'live' } | { readonly pace: 'stands'; readonly at: number } | undefined;
}

export function layoutOf(track: Track): Layout {
  const isStanding = track.waits.some(({ to }) => to === undefined);
  const open = track.turns.find(({ to }) => to === undefined);
  const firstWait = track.waits.find(({ to }) => to === undefined)?.from;
  return {
    ...railsOf(track),
    pieces: track.turns.flatMap((turn) => piecesOf(track, turn, isStanding)),
    signals: track.waits.map(({ from, to }) => ({ at: from, isOpen: to === undefined })),
    buffers: buffersOf(track),
    compactions: track.compactions.map(({ at }) => at),
    train: firstWait !== undefined ? { pace: 'stands', at: firstWait } : open === undefined ? undefined : { pace: 'live' },
  };
}

/** The rail runs from the start to now. A sleeping session is on a siding, and after a buffer there is no rail. */
function railsOf({ from, rests }: Track): Pick<Layout, 'rails' | 'sidings'> {
  const rails: Span[] = [];
  let start: number | undefined = from;
  for (const rest of rests) {
    if (start !== undefined && rest.from > start) rails.push({ from: start, to: rest.from });
    start = rest.to;
  }
  if (start !== undefined) rails.push({ from: start });
  return { rails, sidings: rests.filter(({ how }) => how !== 'failed') };
}

/** A turn without the times it waited at a signal. */
function piecesOf(track: Track, turn: TrackTurn, isStanding: boolean): readonly Piece[] {
  const pace: Pace = turn.to !== undefined ? 'past' : isStanding ? 'stands' : 'live';
  const stops = track.waits.filter((wait) => meet(turn, wait));
  const pieces: Span[] = [];
  let from: number | undefined = turn.from;
  for (const stop of stops) {
    if (from !== undefined && stop.from > from) pieces.push({ from, to: stop.from });
    from = from === undefined || stop.to === undefined ? undefined : Math.max(from, stop.to);
  }
  if (from !== undefined && (turn.to === undefined || turn.to > from)) pieces.push({ from, to: turn.to });
  // A fast agent can start and ask, or start and end, in the same millisecond: the turn is drawn anyway.
  if (pieces.length === 0) pieces.push({ from: turn.from, to: turn.from });
  return pieces.map((piece) => ({ ...piece, pace, calls: callsIn(track, piece) }));
}

const meet = (a: Span, b: Span): boolean => (a.to === undefined || b.from < a.to) && (b.to === undefined || a.from < b.to);

/** Overlapping calls are merged. */
function callsIn({ calls }: Track, piece: Span): readonly Span[] {
  const merged: Span[] = [];
  for (const call of calls) {
    if (!meet(piece, call)) continue;
    const span = { from: Math.max(piece.from, call.from), to: earlier(piece.to, call.to) };
    const last = merged.at(-1);
    if (last === undefined || (last.to !== undefined && span.from > last.to)) merged.push(span);
    else merged[merged.length - 1] = { from: last.from, to: later(last.to, span.to) };
  }
  return merged;
}

const earlier = (a: number | undefined, b: number | undefined): number | undefined => (a === undefined ? b : b === undefined ? a : Math.min(a, b));
const later = (a: number | undefined, b: number | undefined): number | undefined => (a === undefined || b === undefined ? undefined : Math.max(a, b));

/** Where a turn or the session failed. */
function buffersOf({ turns, rests }: Track): readonly number[] {
  const failed = [...turns, ...rests].filter(({ how }) => how === 'failed' || how === 'crashed');
  return [...new Set(failed.map((one) => ('why' in one ? one.from : (one.to ?? one.from))))];
}
