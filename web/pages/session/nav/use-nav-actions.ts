import { useNavigate } from '@tanstack/react-router';
import { useActions } from '../../../base/actions/actions-context.ts';
import { useCockpit } from '../../../store/cockpit-context.ts';
import { navOrder, neighborOf } from '../../../store/sessions/nav-order.ts';
import { toggleNav } from './nav-open.ts';

/** Keys from one session to the next, in the order of the list. */
export function useNavActions(sessionId: string): void {
  const cockpit = useCockpit();
  const navigate = useNavigate();
  const go = (by: 1 | -1) => () => {
    const next = neighborOf(navOrder(cockpit.store.getState().sessions.values()), sessionId, by);
    if (next !== undefined) void navigate({ to: '/s/$sessionId', params: { sessionId: next.id } });
  };
  useActions({ 'session.next': go(1), 'session.previous': go(-1), 'session.list': toggleNav });
}
