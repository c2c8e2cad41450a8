import type { Session } from '../../../src/protocol/session.ts';
import { useApp } from '../../store/cockpit-context.ts';
import { isUnreadIn } from '../../store/sessions/unread.ts';

/** Whether this session finished and this person has not seen it. */
export const useUnread = (session: Session | undefined): boolean => useApp((state) => isUnreadIn(state, session));
