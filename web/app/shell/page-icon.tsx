import { useEffect } from 'react';
import { useApp } from '../../store/cockpit-context.ts';
import { waitingCount } from './waiting-count.ts';

/** The tab's icon shows the number of pending requests. */
export function PageIcon() {
  const waiting = useApp(waitingCount);
  useEffect(() => {
    const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
    // Setting the same address again would fetch it again.
    if (link !== null && link.getAttribute('href') !== iconOf(waiting)) link.href = iconOf(waiting);
  }, [waiting]);
  return null;
}

/** More doesn't fit into 16 pixels. */
const MAX_SHOWN = 9;

/** The icon file, or a drawing with the number of pending requests. */
function iconOf(waiting: number): string {
  return waiting === 0 ? 'icon.svg' : `data:image/svg+xml,${encodeURIComponent(numberIcon(waiting > MAX_SHOWN ? `${MAX_SHOWN}+` : String(waiting)))}`;
}

const numberIcon = (number: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#15181b"/><path d="M16 1l15 15-15 15L1 16z" fill="#f5b14c"/><text x="16" y="${number.length > 1 ? 21 : 22.5}" font-family="sans-serif" font-weight="700" font-size="${number.length > 1 ? 14 : 18}" text-anchor="middle" fill="#15181b">${number}</text></svg>`;
