import { useLocation, useParams } from '@tanstack/react-router';
import { useEffect } from 'react';
import { whenCalm } from '../../base/browser/when-idle.ts';
import { useApp } from '../../store/cockpit-context.ts';
import { PLACES } from './places.ts';
import { waitingCount } from './waiting-count.ts';

/** As the page comes from the server. */
const PLAIN = 'Signalbox';

/** The tab says where it is and what waits, also while nobody looks at it. */
export function PageTitle() {
  const { sessionId } = useParams({ strict: false });
  const place = useLocation({ select: ({ pathname }) => placeName(pathname) });
  const waiting = useApp(waitingCount);
  const title = useApp((state) => (sessionId === undefined ? place : state.sessions.get(sessionId)?.title));
  const name = title === undefined ? PLAIN : `${title} · ${PLAIN}`;
  const text = waiting > 0 ? `(${waiting}) ${name}` : name;
  useEffect(() => {
    // The browser draws its own window anew for it: not in the moment in which a session first shows.
    if (document.title === PLAIN) return whenCalm(() => (document.title = text));
    document.title = text;
    return undefined;
  }, [text]);
  return null;
}

/** The deck is the page itself. */
const placeName = (pathname: string): string | undefined => PLACES.find(({ to }) => to !== '/' && pathname.startsWith(to))?.name;
