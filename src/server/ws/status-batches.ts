import { forEach, type Problems } from '../../problems/problems.ts';
import type { SessionId } from '../../protocol/ids.ts';
import type { Session } from '../../protocol/session.ts';

/** A session's last line and numbers change with every event; people need those ten times a second at most. */
const QUIET_MS = 100;

interface StatusBoard {
  changed(session: Session): void;
  /** Nothing of it may be posted any more: a late word would bring it back into lists. */
  deleted(id: SessionId): void;
  close(): void;
}

/** Posts what a person must see at once (status, what waits, the queue) at once, and the rest coalesced, always the newest. */
export function createStatusBoard(post: (session: Session) => void, problems: Problems): StatusBoard {
  const urgent = new Map<SessionId, string>();
  const pending = new Map<SessionId, Session>();
  let timer: NodeJS.Timeout | undefined;
  const flush = (): void => {
    timer = undefined;
    const due = [...pending.values()];
    pending.clear();
    forEach(due, post);
  };
  return {
    changed: (session) => {
      const face = faceOf(session);
      if (urgent.get(session.id) !== face) {
        urgent.set(session.id, face);
        pending.delete(session.id);
        return post(session);
      }
      pending.set(session.id, session);
      timer ??= problems.after('update pages', QUIET_MS, flush).unref();
    },
    deleted: (id) => {
      urgent.delete(id);
      pending.delete(id);
    },
    close: () => clearTimeout(timer),
  };
}

const faceOf = (session: Session): string =>
  `${session.status} ${session.statusCause.seq} ${session.waiting} ${session.control} ${session.reachable} ${session.title} ${session.star} ${session.closed} ${session.queue.map((input) => input.commandId + input.state).join()}`;
