import { isUnread } from '../../../src/domain/recap/unread.ts';
import type { SeenMarks } from '../../../src/protocol/seen.ts';
import type { Session } from '../../../src/protocol/session.ts';
import type { AppState } from '../state/app-state.ts';
import { noticeOnError } from '../state/notices.ts';
import type { StoreContext } from '../state/store-context.ts';

export interface UnreadActions {
  /** This person has seen all that finished; true once that is durable. All their pages show it. */
  see(session: Session): Promise<true | undefined>;
  /** The same for someone who reads it: false if it could not be saved, without a notice. */
  noteRead(session: Session): Promise<boolean>;
  markUnread(sessionId: string): Promise<true | undefined>;
}

export const unreadActions = (context: StoreContext): UnreadActions => ({
  see: ({ id, finished }) => noticeOnError(context, context.options.api.see(id, finished?.seq ?? 0).then(done)),
  noteRead: ({ id, finished }) => context.options.api.see(id, finished?.seq ?? 0).then(done, () => false),
  markUnread: (sessionId) => noticeOnError(context, context.options.api.markUnread(sessionId).then(done)),
});

const done = (): true => true;

export const isUnreadIn = ({ seen }: Pick<AppState, 'seen'>, session: Session | undefined): boolean =>
  seen !== undefined && session !== undefined && isUnread(session, seen);

const NOTHING_SEEN: SeenMarks = { since: '', marks: {} };

/** Whether it would be unread if nothing of it had been seen. */
export const canBeUnread = (session: Session): boolean => isUnread(session, NOTHING_SEEN);

let counted: { readonly sessions: AppState['sessions']; readonly seen: AppState['seen']; readonly count: number } | undefined;

/** How many sessions finished and were not seen. Counted once for each change: several parts of the page ask with every render. */
export function unreadCount(state: AppState): number {
  const { sessions, seen } = state;
  if (counted?.sessions === sessions && counted.seen === seen) return counted.count;
  let count = 0;
  for (const session of sessions.values()) if (isUnreadIn(state, session)) count += 1;
  counted = { sessions, seen, count };
  return count;
}
