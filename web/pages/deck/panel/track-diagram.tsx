import type { RefObject } from 'react';
import { activityOf } from '../../../../src/domain/panel/activity.ts';
import { type Scale, shiftAt, xOf } from '../../../parts/track/scale.ts';
import { TrackLine } from '../../../parts/track/track-line.tsx';
import { trainAt } from '../../../parts/track/track-paths.ts';
import type { Line } from './lines.ts';
import type { Rows } from './rows.ts';
import { middleOf } from './rows.ts';

interface TrackDiagramProps {
  readonly lines: readonly Line[];
  readonly scale: Scale;
  readonly rows: Rows;
  readonly now: number;
  readonly pixelRatio: number;
  /** Time marks, as shares of the window from its left edge. */
  readonly marks: readonly number[];
  /** The group that scrolls with time. */
  readonly moving?: RefObject<SVGGElement | null>;
  /** The block selected with the keys. */
  readonly ring?: { readonly line: number; readonly from: number; readonly to: number } | undefined;
}

/** Draws the tracks. The same lines and the same time always give the same picture. */
export function TrackDiagram({ lines, scale, rows, now, pixelRatio, marks, moving, ring }: TrackDiagramProps) {
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
          {lines.map(({ id, track }, index) => track !== undefined && <TrackLine key={id} track={track} scale={scale} y={y(index)} />)}
          {ring !== undefined && (
            <rect className="ring" x={ring.from - 5} y={y(ring.line) - 11} width={Math.max(0, ring.to - ring.from) + 10} height={22} rx={5} />
          )}
        </g>
      </svg>
      {lines.map(({ id, track }, index) => track !== undefined && isMoving(track) && <Train key={id} x={width} y={y(index)} />)}
    </svg>
  );
}

const isMoving = (track: NonNullable<Line['track']>): boolean => activityOf(track).what === 'running';

function Train({ x, y }: { readonly x: number; readonly y: number }) {
  return (
    <g transform={`translate(${x} ${y})`}>
      <circle className="halo" r={11} cx={-3} />
      <path className="train live" d={trainAt(2)} />
    </g>
  );
}

/** The width of a fork's curve. */
const CURVE = 22;

/** A curve from the parent's line, not before that line starts, to the moment the fork was created. */
function pointsOf(lines: readonly Line[], { track, parentAt }: Line, scale: Scale, y: (line: number) => number, line: number): string {
  if (track?.bornAt === undefined || parentAt === undefined) return '';
  const [x, above, own] = [xOf(scale, track.bornAt), y(parentAt), y(line)];
  const lead = Math.max(4, Math.min(CURVE, x - xOf(scale, lines[parentAt]?.track?.from ?? 0)));
  return `M${x - lead} ${above}c${lead / 2} 0 ${lead / 2} ${own - above} ${lead} ${own - above}`;
}
