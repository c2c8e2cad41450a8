import { useLocation, useParams } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useApp } from '../../store/cockpit-context.ts';
import { NAV_ITEMS } from './nav-items.ts';
import { waitingCount } from './waiting-count.ts';

const PLAIN = 'Signalbox';

/** The tab's title: the page or session, and the number of pending requests. */
export function PageTitle() {
  const { sessionId } = useParams({ strict: false });
  const pageName = useLocation({ select: ({ pathname }) => navItemName(pathname) });
  const waiting = useApp(waitingCount);
  const title = useApp((state) => (sessionId === undefined ? pageName : state.sessions.get(sessionId)?.title));
  const name = title === undefined ? PLAIN : `${title} · ${PLAIN}`;
  const text = waiting > 0 ? `(${waiting}) ${name}` : name;
  useEffect(() => {
    document.title = text;
  }, [text]);
  return null;
}

/** The deck has no name of its own in the title. */
const navItemName = (pathname: string): string | undefined => NAV_ITEMS.find(({ to }) => to !== '/' && pathname.startsWith(to))?.name;
