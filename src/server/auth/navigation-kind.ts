import type { IncomingHttpHeaders } from 'node:http';

/**
 * How a browser came to request an address with a token in it. `direct`: a person typed it, or followed a link in a program or on our own page, or it isn't a
 * browser at all. `foreign`: a page of another site, or of another port on this host, led the browser here. `embedded`: it is part of a page, such as
 * an image, or was prefetched; nobody signs in that way.
 */
export type NavigationKind = 'direct' | 'foreign' | 'embedded';

/** Browsers set these headers themselves and no page can change them. Over plain http from another machine they send none. */
export function navigationKind(headers: IncomingHttpHeaders): NavigationKind {
  const [dest, mode, site] = [headers['sec-fetch-dest'], headers['sec-fetch-mode'], headers['sec-fetch-site']];
  if (String(headers['sec-purpose'] ?? '').startsWith('prefetch')) return 'embedded';
  // A service worker that forwards a navigation leaves the destination empty.
  const isPage = mode === 'navigate' && (dest === 'document' || dest === 'empty');
  if (dest !== undefined && !isPage) return 'embedded';
  // Older browsers only show what they accept.
  if (dest === undefined && /^(image|audio|video|text\/css)\b/.test(headers.accept ?? '')) return 'embedded';
  return site === 'cross-site' || site === 'same-site' ? 'foreign' : 'direct';
}

/** Whether a browser is opening a page, with the `#` fragment still in its address. */
export function isNavigation({ 'sec-fetch-mode': mode, accept = '' }: IncomingHttpHeaders): boolean {
  return mode === undefined ? accept.includes('text/html') : mode === 'navigate';
}
