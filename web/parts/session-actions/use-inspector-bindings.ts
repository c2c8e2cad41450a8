import { useNavigate } from '@tanstack/react-router';
import type { Bindings } from '../../base/actions/actions.ts';
import { SIDES } from '../address/inspector-address.ts';

/** What can be looked at beside the transcript, and the transcript alone. */
export function useSideBindings(sessionId: string): Bindings {
  const navigate = useNavigate();
  const sides: Bindings = Object.fromEntries(
    SIDES.map((side) => [`session.${side}`, () => void navigate({ to: `/s/$sessionId/${side}`, params: { sessionId }, hash: true })]),
  );
  return { ...sides, 'session.transcript': () => void navigate({ to: '/s/$sessionId', params: { sessionId }, hash: true }) };
}
