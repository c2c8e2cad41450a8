import { useParams } from '@tanstack/react-router';
import { useApp } from '../app/cockpit-context.ts';
import { waitingCount } from './waiting-count.ts';

/** The tab says what waits, also while nobody looks at it. */
export function PageTitle() {
  const { sessionId } = useParams({ strict: false });
  const waiting = useApp(waitingCount);
  const title = useApp((state) => (sessionId === undefined ? undefined : state.sessions.get(sessionId)?.title));
  const name = title === undefined ? 'Signalbox' : `${title} · Signalbox`;
  return <title>{waiting > 0 ? `(${waiting}) ${name}` : name}</title>;
}
