import { type Moment, momentsOf } from '../../../../src/domain/panel/moments.ts';
import type { Line } from './lines.ts';

/** A moment on one of the lines. */
export interface Place {
  readonly sessionId: string;
  readonly moment: Moment;
}

export type Direction = 'ArrowLeft' | 'ArrowRight' | 'ArrowUp' | 'ArrowDown' | 'Home' | 'End';

export const isDirection = (key: string): key is Direction => /^(Arrow(Left|Right|Up|Down)|Home|End)$/.test(key);

/** Where the keys go next: left and right in time on one line, up and down to what was at that time on the next line that has anything. */
export function walk(lines: readonly Line[], from: Place | undefined, to: Direction, since: number): Place | undefined {
  const at = lines.findIndex(({ session }) => session.id === from?.sessionId);
  if (from === undefined || at === -1) return firstOf(lines, since);
  if (to === 'ArrowUp' || to === 'ArrowDown') return acrossFrom(lines, at, from, to === 'ArrowUp' ? -1 : 1, since) ?? from;
  const moments = seenOf(lines[at], since);
  const index = moments.findIndex(({ seq, kind }) => seq === from.moment.seq && kind === from.moment.kind);
  const next = { ArrowLeft: moments[index - 1], ArrowRight: moments[index + 1], Home: moments[0], End: moments.at(-1) }[to];
  return next === undefined ? from : { sessionId: from.sessionId, moment: next };
}

const seenOf = (line: Line | undefined, since: number): readonly Moment[] =>
  line?.track === undefined ? [] : momentsOf(line.track).filter(({ to }) => to === undefined || to >= since);

/** The latest of the first line that has anything. */
function firstOf(lines: readonly Line[], since: number): Place | undefined {
  for (const line of lines) {
    const moment = seenOf(line, since).at(-1);
    if (moment !== undefined) return { sessionId: line.session.id, moment };
  }
  return undefined;
}

function acrossFrom(lines: readonly Line[], at: number, from: Place, step: 1 | -1, since: number): Place | undefined {
  for (let index = at + step; index >= 0 && index < lines.length; index += step) {
    const line = lines[index];
    const nearest = seenOf(line, since).toSorted((a, b) => Math.abs(a.from - from.moment.from) - Math.abs(b.from - from.moment.from))[0];
    if (line !== undefined && nearest !== undefined) return { sessionId: line.session.id, moment: nearest };
  }
  return undefined;
}
