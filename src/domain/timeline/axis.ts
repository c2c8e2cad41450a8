import type { SessionTimeline } from '../../protocol/api/timeline.ts';

/** A stretch of time and its place on the axis, both measured from the start. */
export interface AxisSegment {
  readonly fromMs: number;
  readonly toMs: number;
  /** From 0 to 1. */
  readonly from: number;
  readonly to: number;
  /** Nothing happened in it: it is drawn shorter than it was. */
  readonly isIdle: boolean;
}

/** A longer gap is idle time. */
const IDLE_MS = 120_000;
/** The width of one idle stretch, as a share of the busy time. */
const IDLE_SHARE = 1 / 30;

/** Time as it is drawn: in proportion where something happened, short where nothing did. */
export function axisOf(timeline: SessionTimeline): readonly AxisSegment[] {
  const busy = busyStretches(timeline);
  const pieces = withIdle(busy);
  const total = busy.reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0);
  const widthOf = ({ fromMs, toMs, isIdle }: Piece): number => (isIdle ? Math.max(1, total * IDLE_SHARE) : toMs - fromMs);
  const whole = pieces.reduce((sum, piece) => sum + widthOf(piece), 0) || 1;
  let at = 0;
  return pieces.map((piece) => {
    const from = at / whole;
    at += widthOf(piece);
    return { ...piece, from, to: at / whole };
  });
}

type Piece = Pick<AxisSegment, 'fromMs' | 'toMs' | 'isIdle'>;

/** When something happened, in order; stretches with less than idle time between them are merged. */
function busyStretches({ turns, tools, waits, context, compactions, from, to }: SessionTimeline): readonly Piece[] {
  const endMs = Math.max(0, Date.parse(to) - Date.parse(from)) || 0;
  const spans = [...turns, ...tools, ...waits].map((span) => [span.atMs, span.endMs ?? endMs] as const);
  const points = [...context, ...compactions].map(({ atMs }) => [atMs, atMs] as const);
  const all = [...spans, ...points].sort((a, b) => a[0] - b[0]);
  const busy: { fromMs: number; toMs: number; isIdle: boolean }[] = [];
  for (const [start, end] of all) {
    const last = busy.at(-1);
    if (last !== undefined && start - last.toMs <= IDLE_MS) last.toMs = Math.max(last.toMs, end);
    else busy.push({ fromMs: start, toMs: Math.max(start + 1, end), isIdle: false });
  }
  return busy.length === 0 ? [{ fromMs: 0, toMs: Math.max(1, endMs), isIdle: false }] : busy;
}

const withIdle = (busy: readonly Piece[]): readonly Piece[] =>
  busy.flatMap((piece, at) => {
    const before = busy[at - 1];
    return before === undefined ? [piece] : [{ fromMs: before.toMs, toMs: piece.fromMs, isIdle: true }, piece];
  });

/** Where a moment is drawn, from 0 to 1. */
export function placeOf(axis: readonly AxisSegment[], ms: number): number {
  const stretch = axis.find(({ toMs }) => ms <= toMs) ?? axis.at(-1);
  if (stretch === undefined) return 0;
  const share = (ms - stretch.fromMs) / Math.max(1, stretch.toMs - stretch.fromMs);
  return stretch.from + Math.min(1, Math.max(0, share)) * (stretch.to - stretch.from);
}
