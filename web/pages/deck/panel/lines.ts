import { lastMoved } from '../../../../src/domain/panel/standing.ts';
import type { Track } from '../../../../src/protocol/api/panel.ts';
import type { Session } from '../../../../src/protocol/session.ts';
import { inLineOrder } from '../../../store/sessions/deck.ts';

/** A session as the panel draws it; of one that has just been made nothing may have moved yet. */
export interface Line {
  readonly session: Session;
  readonly track: Track | undefined;
  /** The line from which it was forked, when that is drawn too. */
  readonly parentAt?: number;
}

/** More than these are not told apart; what moves or waits is among them in any case. */
const MOST = 50;
const MOVING: ReadonlySet<Session['status']> = new Set(['starting', 'busy', 'waiting']);

/** Which lines are drawn and where: a line keeps its place whatever it does. */
export function linesOf(sessions: Iterable<Session>, tracks: ReadonlyMap<string, Track>, since: number): readonly Line[] {
  const shown = [...sessions]
    .filter((session) => session.archived !== true && isDrawn(session, tracks.get(session.id), since))
    .sort((a, b) => Number(isMoving(b)) - Number(isMoving(a)) || b.updatedAt.localeCompare(a.updatedAt))
    .slice(0, MOST);
  const placed = inLineOrder(shown);
  const places = new Map(placed.map(({ id }, index) => [id as string, index]));
  return placed.map((session) => lineOf(session, tracks.get(session.id), places));
}

const isMoving = (session: Session): boolean => MOVING.has(session.status) || session.waiting > 0;

/** What moves, what has a process, and what moved in this window. A record of another program has no track of ours. */
function isDrawn(session: Session, track: Track | undefined, since: number): boolean {
  if (isMoving(session)) return true;
  return track !== undefined && (session.control === 'here' || lastMoved(track, Number.POSITIVE_INFINITY) >= since);
}

function lineOf(session: Session, track: Track | undefined, places: ReadonlyMap<string, number>): Line {
  const parentAt = session.parent === undefined ? undefined : places.get(session.parent.sessionId);
  return { session, track, ...(parentAt !== undefined && { parentAt }) };
}
