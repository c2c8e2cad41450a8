import { useEffect } from 'react';
import { useApp } from '../../store/cockpit-context.ts';
import { iconOf } from './icon-of.ts';
import { waitingCount } from './waiting-count.ts';

/** The icon of the tab lights its lamp, with the number, while something waits. */
export function PageIcon() {
  const waiting = useApp(waitingCount);
  useEffect(() => {
    const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
    // The same again would be fetched again.
    if (link !== null && link.getAttribute('href') !== iconOf(waiting)) link.href = iconOf(waiting);
  }, [waiting]);
  return null;
}
