import type { RefObject } from 'react';
import { standingOf } from '../../../../src/domain/panel/standing.ts';
import type { Line } from './lines.ts';
import { PlanLine } from './plan-line.tsx';
import type { Rows } from './rows.ts';
import { middleOf } from './rows.ts';
import { placeOf, type Scale, shiftAt } from './scale.ts';
import { trainAt } from './track-paths.ts';

interface PlanProps {
  readonly lines: readonly Line[];
  readonly scale: Scale;
  readonly rows: Rows;
  readonly now: number;
  readonly pixelRatio: number;
  /** Marks of the time, as shares of the window from its left. */
  readonly marks: readonly number[];
  /** What moves as time passes. */
  readonly moving?: RefObject<SVGGElement | null>;
  /** Where the keys are. */
  readonly ring?: { readonly line: number; readonly from: number; readonly to: number } | undefined;
}

/** The track plan: the same lines and the same clock always give the same picture. */
export function Plan({ lines, scale, rows, now, pixelRatio, marks, moving, ring }: PlanProps) {
  const { width } = scale;
  const height = lines.length * rows.pitch;
  const y = (line: number): number => middleOf(rows, line);
  return (
    <svg className="plan" width={width} height={height} aria-hidden="true">
      {marks.map((mark) => (
        <path key={mark} className={mark === 1 ? 'mark now' : 'mark'} d={`M${Math.round(mark * width)} 0V${height}`} />
      ))}
      <svg className="plan-frame" width={width} height={height} aria-hidden="true">
        <g ref={moving} transform={`translate(${shiftAt(scale, now, pixelRatio)} 0)`}>
          <path className="points" d={lines.map((line, index) => pointsOf(lines, line, scale, y, index)).join('')} />
          {lines.map(({ session, track }, index) => track !== undefined && <PlanLine key={session.id} track={track} scale={scale} y={y(index)} />)}
          {ring !== undefined && (
            <rect className="ring" x={ring.from - 5} y={y(ring.line) - 11} width={Math.max(0, ring.to - ring.from) + 10} height={22} rx={5} />
          )}
        </g>
      </svg>
      {lines.map(({ session, track }, index) => track !== undefined && isMoving(track) && <Train key={session.id} x={width} y={y(index)} />)}
    </svg>
  );
}

const isMoving = (track: NonNullable<Line['track']>): boolean => standingOf(track).what === 'running';

function Train({ x, y }: { readonly x: number; readonly y: number }) {
  return (
    <g transform={`translate(${x} ${y})`}>
      <circle className="halo" r={11} cx={-3} />
      <path className="train live" d={trainAt(2)} />
    </g>
  );
}

/** How much room the curve of a fork takes. */
const CURVE = 22;

/** A fork leaves the line of its parent by a curve, not before that line began, and arrives on its own where it was made. */
function pointsOf(lines: readonly Line[], { track, parentAt }: Line, scale: Scale, y: (line: number) => number, line: number): string {
  if (track?.bornAt === undefined || parentAt === undefined) return '';
  const [x, above, own] = [placeOf(scale, track.bornAt), y(parentAt), y(line)];
  const lead = Math.max(4, Math.min(CURVE, x - placeOf(scale, lines[parentAt]?.track?.from ?? 0)));
  return `M${x - lead} ${above}c${lead / 2} 0 ${lead / 2} ${own - above} ${lead} ${own - above}`;
}
