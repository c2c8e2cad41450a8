import { type Moment, momentsOf } from '../../../../src/domain/panel/moments.ts';
import type { Line } from './lines.ts';

/** A moment of one session. */
export interface PanelMoment {
  readonly sessionId: string;
  readonly moment: Moment;
}

export type Direction = 'ArrowLeft' | 'ArrowRight' | 'ArrowUp' | 'ArrowDown' | 'Home' | 'End';

export const isDirection = (key: string): key is Direction => /^(Arrow(Left|Right|Up|Down)|Home|End)$/.test(key);

/** Left and right move in time on one line; up and down move to the nearest moment on the next line that has any. */
export function moveCursor(lines: readonly Line[], from: PanelMoment | undefined, to: Direction, since: number): PanelMoment | undefined {
  const at = lines.findIndex(({ id }) => id === from?.sessionId);
  if (from === undefined || at === -1) return firstOf(lines, since);
  if (to === 'ArrowUp' || to === 'ArrowDown') return acrossFrom(lines, at, from, to === 'ArrowUp' ? -1 : 1, since) ?? from;
  const moments = seenOf(lines[at], since);
  const index = moments.findIndex(({ seq, kind }) => seq === from.moment.seq && kind === from.moment.kind);
  const next = { ArrowLeft: moments[index - 1], ArrowRight: moments[index + 1], Home: moments[0], End: moments.at(-1) }[to];
  return next === undefined ? from : { sessionId: from.sessionId, moment: next };
}

const seenOf = (line: Line | undefined, since: number): readonly Moment[] =>
  line?.track === undefined ? [] : momentsOf(line.track).filter(({ to }) => to === undefined || to >= since);

/** The latest moment of the first line that has any. */
function firstOf(lines: readonly Line[], since: number): PanelMoment | undefined {
  for (const line of lines) {
    const moment = seenOf(line, since).at(-1);
    if (moment !== undefined) return { sessionId: line.id, moment };
  }
  return undefined;
}

function acrossFrom(lines: readonly Line[], at: number, from: PanelMoment, step: 1 | -1, since: number): PanelMoment | undefined {
  for (let index = at + step; index >= 0 && index < lines.length; index += step) {
    const line = lines[index];
    const nearest = seenOf(line, since).toSorted((a, b) => Math.abs(a.from - from.moment.from) - Math.abs(b.from - from.moment.from))[0];
    if (line !== undefined && nearest !== undefined) return { sessionId: line.id, moment: nearest };
  }
  return undefined;
}
