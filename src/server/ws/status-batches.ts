import { forEach, type Problems } from '../../problems/problems.ts';
import type { SessionId } from '../../protocol/ids.ts';
import type { Session } from '../../protocol/session.ts';

/** A session's last line and numbers change with every event; people need them at most ten times a second. */
const QUIET_MS = 100;

interface StatusBatches {
  changed(session: Session): void;
  /** Drops pending updates of a deleted session, which would otherwise bring it back into lists. */
  deleted(id: SessionId): void;
  close(): void;
}

/** Posts what people must see immediately (status, pending requests, queue) right away, and everything else batched, always the newest state. */
export function createStatusBatches(post: (session: Session) => void, problems: Problems): StatusBatches {
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
      const urgentState = urgentStateOf(session);
      if (urgent.get(session.id) !== urgentState) {
        urgent.set(session.id, urgentState);
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

const urgentStateOf = (session: Session): string =>
  `${session.status} ${session.statusCause.seq} ${session.waiting} ${session.control} ${session.reachable} ${session.title} ${session.star} ${session.closed} ${session.placeInLine} ${session.queuePaused} ${session.queue.map((input) => input.commandId + input.state).join()}`;
