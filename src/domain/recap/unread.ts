import type { SeenMarks } from '../../protocol/seen.ts';
import type { Session, Status } from '../../protocol/session.ts';

const RESTS: ReadonlySet<Status> = new Set(['idle', 'sleeping', 'ended', 'failed']);

type Finishing = Pick<Session, 'id' | 'finished' | 'status' | 'waiting' | 'archived' | 'placeInLine'>;

/** Whether a session finished and this person has not seen it: a state of its own, until they read to the end or it works again. */
export function isUnread(session: Finishing, seen: SeenMarks): boolean {
  const { id, finished, status, waiting, archived, placeInLine } = session;
  if (finished === undefined || waiting > 0 || archived === true || placeInLine !== undefined || !RESTS.has(status)) return false;
  return isEndUnseen({ id, finished }, seen);
}

/** Whether this person has not seen its last end, whatever it does now. */
export function isEndUnseen({ id, finished }: Pick<Session, 'id' | 'finished'>, { since, marks }: SeenMarks): boolean {
  if (finished === undefined) return false;
  const mark = marks[id];
  return mark === undefined ? finished.at > since : finished.seq > mark;
}

export const withUnread = (session: Session, seen: SeenMarks): Session => (isUnread(session, seen) ? { ...session, unread: true } : session);
