import { moveOf } from '../../domain/panel/move.ts';
import { forEach, type Problems } from '../../problems/problems.ts';
import type { Move } from '../../protocol/api/panel.ts';
import type { Event } from '../../protocol/event.ts';
import type { SessionId } from '../../protocol/ids.ts';

/** The panel needs updates only a few times a second, however fast an agent works. */
const QUIET_MS = 150;

interface ActivityBatches {
  add(id: SessionId, events: readonly Event[]): void;
  /** Drops pending activity of a deleted session. */
  deleted(id: SessionId): void;
  close(): void;
}

/** Collects activity of all sessions and posts it a few times a second, one post per session. */
export function createActivityBatches(post: (id: SessionId, moves: readonly Move[]) => void, problems: Problems): ActivityBatches {
  const pending = new Map<SessionId, Move[]>();
  let timer: NodeJS.Timeout | undefined;
  const flush = (): void => {
    timer = undefined;
    const due = [...pending];
    pending.clear();
    forEach(due, ([id, moves]) => post(id, moves));
  };
  return {
    add: (id, events) => {
      const moves = events.flatMap((event) => moveOf(event) ?? []);
      if (moves.length === 0) return;
      pending.set(id, [...(pending.get(id) ?? []), ...moves]);
      timer ??= problems.after('update pages', QUIET_MS, flush).unref();
    },
    deleted: (id) => void pending.delete(id),
    close: () => clearTimeout(timer),
  };
}
