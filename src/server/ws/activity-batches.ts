import { moveOf } from '../../domain/panel/move.ts';
import { forEach, type Problems } from '../../problems/problems.ts';
import type { Move } from '../../protocol/api/panel.ts';
import type { Event } from '../../protocol/event.ts';
import type { SessionId } from '../../protocol/ids.ts';

/** A picture needs its news a few times a second at most, however fast an agent works. */
const QUIET_MS = 150;

interface ActivityBoard {
  heard(id: SessionId, events: readonly Event[]): void;
  /** Nothing of it may be posted any more. */
  deleted(id: SessionId): void;
  close(): void;
}

/** Gathers what moves in all sessions and posts it a few times a second, one post a session. */
export function createActivityBoard(post: (id: SessionId, moves: readonly Move[]) => void, problems: Problems): ActivityBoard {
  const pending = new Map<SessionId, Move[]>();
  let timer: NodeJS.Timeout | undefined;
  const flush = (): void => {
    timer = undefined;
    const due = [...pending];
    pending.clear();
    forEach(due, ([id, moves]) => post(id, moves));
  };
  return {
    heard: (id, events) => {
      const moves = events.flatMap((event) => moveOf(event) ?? []);
      if (moves.length === 0) return;
      pending.set(id, [...(pending.get(id) ?? []), ...moves]);
      timer ??= problems.after('update pages', QUIET_MS, flush).unref();
    },
    deleted: (id) => void pending.delete(id),
    close: () => clearTimeout(timer),
  };
}
