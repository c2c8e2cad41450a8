import { useLocation, useParams } from '@tanstack/react-router';
import { useApp } from '../app/cockpit-context.ts';
import { PLACES } from './places.ts';
import { waitingCount } from './waiting-count.ts';

/** The tab says where it is and what waits, also while nobody looks at it. */
export function PageTitle() {
  const { sessionId } = useParams({ strict: false });
  const place = useLocation({ select: ({ pathname }) => placeName(pathname) });
  const waiting = useApp(waitingCount);
  const title = useApp((state) => (sessionId === undefined ? place : state.sessions.get(sessionId)?.title));
  const name = title === undefined ? 'Signalbox' : `${title} · Signalbox`;
  return <title>{waiting > 0 ? `(${waiting}) ${name}` : name}</title>;
}

/** The deck is the page itself. */
const placeName = (pathname: string): string | undefined => PLACES.find(({ to }) => to !== '/' && pathname.startsWith(to))?.name;
