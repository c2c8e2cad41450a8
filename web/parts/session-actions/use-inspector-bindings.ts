import { useNavigate } from '@tanstack/react-router';
import type { Bindings } from '../../base/actions/actions.ts';
import { INSPECTOR_VIEWS } from '../address/inspector-address.ts';

/** Opens the inspector views, or only the transcript. */
export function useInspectorBindings(sessionId: string): Bindings {
  const navigate = useNavigate();
  const views: Bindings = Object.fromEntries(
    INSPECTOR_VIEWS.map((view) => [`session.${view}`, () => void navigate({ to: `/s/$sessionId/${view}`, params: { sessionId }, hash: true })]),
  );
  return { ...views, 'session.transcript': () => void navigate({ to: '/s/$sessionId', params: { sessionId }, hash: true }) };
}
