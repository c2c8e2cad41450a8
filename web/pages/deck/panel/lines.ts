import { lastActiveAt } from '../../../../src/domain/panel/activity.ts';
import type { Track } from '../../../../src/protocol/api/panel.ts';
import type { Session } from '../../../../src/protocol/session.ts';
import { inLineOrder } from '../../../store/sessions/deck.ts';

/** A session as the panel draws it. A new session may have no track yet. */
export interface Line {
  readonly session: Session;
  readonly track: Track | undefined;
  /** The line it was forked from, when that is drawn too. */
  readonly parentAt?: number;
}

/** More lines can't be told apart. Active sessions always come first. */
const MAX_LINES = 50;
const MOVING: ReadonlySet<Session['status']> = new Set(['starting', 'busy', 'waiting']);

/** Which sessions are drawn, in an order that doesn't depend on their activity. */
export function linesOf(sessions: Iterable<Session>, tracks: ReadonlyMap<string, Track>, since: number): readonly Line[] {
  const shown = [...sessions]
    .filter((session) => session.archived !== true && isDrawn(session, tracks.get(session.id), since))
    .sort((a, b) => Number(isMoving(b)) - Number(isMoving(a)) || b.updatedAt.localeCompare(a.updatedAt))
    .slice(0, MAX_LINES);
  const ordered = inLineOrder(shown);
  const indexes = new Map(ordered.map(({ id }, index) => [id as string, index]));
  return ordered.map((session) => lineOf(session, tracks.get(session.id), indexes));
}

const isMoving = (session: Session): boolean => MOVING.has(session.status) || session.waiting > 0;

/** Active sessions, those with a process, and those with activity in this window. Sessions of other programs have no track. */
function isDrawn(session: Session, track: Track | undefined, since: number): boolean {
  if (isMoving(session)) return true;
  return track !== undefined && (session.control === 'here' || lastActiveAt(track, Number.POSITIVE_INFINITY) >= since);
}

function lineOf(session: Session, track: Track | undefined, indexes: ReadonlyMap<string, number>): Line {
  const parentAt = session.parent === undefined ? undefined : indexes.get(session.parent.sessionId);
  return { session, track, ...(parentAt !== undefined && { parentAt }) };
}
