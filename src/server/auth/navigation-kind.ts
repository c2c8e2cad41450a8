import type { IncomingHttpHeaders } from 'node:http';

/**
 * How a browser came to ask for an address with a token in it. `direct`: a person typed it, followed a link in a program or on our own page, or it is no
 * browser at all. `foreign`: a page of another site, or of another port on this host, led the browser here. `embedded`: it is a part of some page, such as
 * an image, or was fetched in advance; nobody signs in that way.
 */
export type HowAsked = 'direct' | 'foreign' | 'embedded';

/** Browsers set these headers themselves; no page can change them. Over plain http from another machine they send none. */
export function howAsked(headers: IncomingHttpHeaders): HowAsked {
  const [dest, mode, site] = [headers['sec-fetch-dest'], headers['sec-fetch-mode'], headers['sec-fetch-site']];
  if (String(headers['sec-purpose'] ?? '').startsWith('prefetch')) return 'embedded';
  // A service worker that passes a navigation on leaves the destination empty.
  const isPage = mode === 'navigate' && (dest === 'document' || dest === 'empty');
  if (dest !== undefined && !isPage) return 'embedded';
  // Older browsers tell only by what they would take.
  if (dest === undefined && /^(image|audio|video|text\/css)\b/.test(headers.accept ?? '')) return 'embedded';
  return site === 'cross-site' || site === 'same-site' ? 'foreign' : 'direct';
}

/** Whether it is a browser that goes to a page, with what follows the `#` still in its address. */
export function isNavigation({ 'sec-fetch-mode': mode, accept = '' }: IncomingHttpHeaders): boolean {
  return mode === undefined ? accept.includes('text/html') : mode === 'navigate';
}
