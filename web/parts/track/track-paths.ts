import { type Layout, layoutOf, type Pace, type Piece, type Span } from '../../../src/domain/panel/layout.ts';
import type { Track } from '../../../src/protocol/api/panel.ts';
import { beyondNow, type Scale, xOf } from './scale.ts';

/** One path per style: however busy a line is, it needs only a few elements. Heights count from the middle of the line. */
export interface TrackPaths {
  readonly rail: string;
  readonly siding: string;
  readonly blocks: Readonly<Record<Pace, string>>;
  readonly calls: Readonly<Record<Pace, string>>;
  readonly signals: string;
  readonly passed: string;
  readonly buffers: string;
  readonly compactions: string;
  /** A session that waits for an answer. One that runs is drawn at the right edge. */
  readonly standing: string;
}

/** How far below the line a sleeping session is drawn. */
const SIDING = 6;
const BLOCK = 6;

export function pathsOf(track: Track, scale: Scale): TrackPaths {
  const layout = layoutOf(track);
  const x = (at: number): number => xOf(scale, at);
  const bars = layout.pieces.map((piece) => ({ pace: piece.pace, ...barsOf(piece, scale) }));
  const ofPace = (pace: Pace, part: 'blocks' | 'calls') => bars.map((bar) => (bar.pace === pace ? bar[part] : '')).join('');
  return {
    rail: layout.rails.map((rail) => level(rail, scale, 0)).join(''),
    siding: layout.sidings.map((siding) => sidingOf(siding, scale)).join(''),
    blocks: { live: ofPace('live', 'blocks'), stands: ofPace('stands', 'blocks'), past: ofPace('past', 'blocks') },
    calls: { live: ofPace('live', 'calls'), stands: ofPace('stands', 'calls'), past: ofPace('past', 'calls') },
    signals: signs(layout.signals, true, (at) => `M${x(at)} -3V-8${diamond(x(at), -11, 4.5)}`),
    passed: signs(layout.signals, false, (at) => diamond(x(at), 0, 3)),
    buffers: layout.buffers.map((at) => bar(x(at) - 1, x(at) + 2, 7)).join(''),
    compactions: layout.compactions.map((at) => `M${x(at) - 1.5} -5.5V5.5M${x(at) + 1.5} -5.5V5.5`).join(''),
    standing: layout.train?.pace === 'stands' ? trainAt(x(layout.train.at)) : '',
  };
}

/** The marker of an active session, eleven pixels wide. */
export const trainAt = (end: number): string => `M${end - 9} -6h7q3 0 3 3v6q0 3 -3 3h-7q-2 0 -2 -2v-8q0 -2 2 -2z`;

/** A call is a gap in its turn. A call too short to see is drawn as a thin cut, unless the previous one is too close. */
const CUT = 2;
const CLOSE = 3;

function barsOf(piece: Piece, scale: Scale): { readonly blocks: string; readonly calls: string } {
  const end = piece.to === undefined ? beyondNow(scale) : Math.max(xOf(scale, piece.to), xOf(scale, piece.from) + 1.5);
  let from = xOf(scale, piece.from);
  let [blocks, calls] = ['', ''];
  for (const call of piece.calls) {
    const start = xOf(scale, call.from);
    const stop = Math.min(end, call.to === undefined ? beyondNow(scale) : Math.max(xOf(scale, call.to), start + CUT));
    if (stop - start <= CUT && start - from < CLOSE) continue;
    if (start > from) blocks += bar(from, start, BLOCK / 2);
    calls += bar(Math.max(start, from), stop, 1);
    from = Math.max(from, stop);
  }
  if (end > from) blocks += bar(from, end, BLOCK / 2);
  return { blocks, calls };
}

const bar = (from: number, to: number, half: number): string => `M${from} ${-half}H${to}V${half}H${from}z`;

function level({ from, to }: Span, scale: Scale, y: number): string {
  return `M${xOf(scale, from)} ${y}H${to === undefined ? beyondNow(scale) : xOf(scale, to)}`;
}

/** Down from the line, along, and up again at the time it woke. */
function sidingOf({ from, to }: Span, scale: Scale): string {
  const start = xOf(scale, from);
  const end = to === undefined ? beyondNow(scale) : xOf(scale, to);
  const bend = Math.min(12, (end - start) / 2);
  const down = `M${start} 0c${bend / 2} 0 ${bend / 2} ${SIDING} ${bend} ${SIDING}`;
  return to === undefined ? `${down}H${end}` : `${down}H${end - bend}c${bend / 2} 0 ${bend / 2} ${-SIDING} ${bend} ${-SIDING}`;
}

const diamond = (x: number, y: number, half: number): string => `M${x} ${y - half}l${half} ${half}l${-half} ${half}l${-half} ${-half}z`;

const signs = (all: Layout['signals'], isOpen: boolean, draw: (at: number) => string): string =>
  all.map((signal) => (signal.isOpen === isOpen ? draw(signal.at) : '')).join('');
