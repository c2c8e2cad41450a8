import { moveOf } from '../../domain/panel/move.ts';
import type { Event } from '../../protocol/event.ts';
import type { SessionId } from '../../protocol/ids.ts';
import type { Move } from '../../protocol/panel.ts';

/** A picture needs its news a few times a second at most, however fast an agent works. */
const QUIET_MS = 150;

interface ActivityBoard {
  heard(id: SessionId, events: readonly Event[]): void;
  /** Nothing of it may be posted any more. */
  deleted(id: SessionId): void;
  close(): void;
}

/** Gathers what moves in all sessions and posts it a few times a second, one post a session. */
export function createActivityBoard(post: (id: SessionId, moves: readonly Move[]) => void): ActivityBoard {
  const pending = new Map<SessionId, Move[]>();
  let timer: NodeJS.Timeout | undefined;
  const flush = (): void => {
    timer = undefined;
    for (const [id, moves] of pending) post(id, moves);
    pending.clear();
  };
  return {
    heard: (id, events) => {
      const moves = events.flatMap((event) => moveOf(event) ?? []);
      if (moves.length === 0) return;
      pending.set(id, [...(pending.get(id) ?? []), ...moves]);
      timer ??= setTimeout(flush, QUIET_MS).unref();
    },
    deleted: (id) => void pending.delete(id),
    close: () => clearTimeout(timer),
  };
}
