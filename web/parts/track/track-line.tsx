import { memo } from 'react';
import type { Track } from '../../../src/protocol/api/panel.ts';
import type { Scale } from './scale.ts';
import { pathsOf } from './track-paths.ts';

interface TrackLineProps {
  readonly track: Track;
  readonly scale: Scale;
  /** The middle of the line, from the top of the diagram. */
  readonly y: number;
}

/** One line of the diagram. Drawn again when its track changes, not when time passes. */
export const TrackLine = memo(function TrackLine({ track, scale, y }: TrackLineProps) {
  const paths = pathsOf(track, scale);
  const parts = [
    ['rails', paths.rail],
    ['siding', paths.siding],
    ['calls past', paths.calls.past],
    ['calls stands', paths.calls.stands],
    ['calls live', paths.calls.live],
    ['blocks past', paths.blocks.past],
    ['blocks stands', paths.blocks.stands],
    ['blocks live', paths.blocks.live],
    ['compactions', paths.compactions],
    ['passed', paths.passed],
    ['buffers', paths.buffers],
    ['train stands', paths.standing],
    ['signals', paths.signals],
  ] as const;
  return <g transform={`translate(0 ${y})`}>{parts.map(([name, d]) => d !== '' && <path key={name} className={name} d={d} />)}</g>;
});
