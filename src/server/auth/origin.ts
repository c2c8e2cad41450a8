import { isIP } from 'node:net';
import { isLoopback, type ServerSettings } from '../shared/settings.ts';

/**
 * Whether this Host header names us. A foreign name that points at our address (DNS rebinding) does not;
 * IP addresses are accepted only when we listen on all addresses, since an IP address can't be rebound.
 */
export function isOurHost(header: string | undefined, settings: ServerSettings): boolean {
  const name = hostName(header);
  if (name === undefined) return false;
  if (isLoopback(name) || name === settings.host.toLowerCase()) return true;
  if (settings.allowedHosts.some((allowed) => allowed.toLowerCase() === name)) return true;
  if (settings.publicUrl !== undefined && new URL(settings.publicUrl).hostname === name) return true;
  return listensEverywhere(settings.host) && isIP(name.replace(/^\[|\]$/g, '')) !== 0;
}

interface Sender {
  readonly origin: string | undefined;
  readonly host: string | undefined;
  readonly fetchSite: string | undefined;
}

/** Whether this page may send requests that change something. Programs send no Origin; browsers always do. */
export function isOurOrigin({ origin, host, fetchSite }: Sender, settings: ServerSettings): boolean {
  if (origin === undefined) return fetchSite === undefined || fetchSite === 'same-origin' || fetchSite === 'none';
  // Chromium 156 sends `null` with a form on a page that has `Referrer-Policy: no-referrer`; a page can't forge Sec-Fetch-Site.
  if (origin === 'null') return fetchSite === 'same-origin';
  const page = urlOf(origin);
  if (page === undefined) return false;
  if (settings.publicUrl !== undefined && page.origin === new URL(settings.publicUrl).origin) return true;
  const scheme = settings.tls === undefined ? ['http:', 'https:'] : ['https:'];
  if (!scheme.includes(page.protocol)) return false;
  return page.host === host?.toLowerCase() || settings.allowedHosts.some((allowed) => allowed.toLowerCase() === page.hostname);
}

const listensEverywhere = (host: string): boolean => host === '0.0.0.0' || host === '::';

function hostName(header: string | undefined): string | undefined {
  if (header === undefined || header === '' || /[@/\\\s]/.test(header)) return undefined;
  return urlOf(`http://${header}`)?.hostname;
}

const urlOf = (text: string): URL | undefined => (URL.canParse(text) ? new URL(text) : undefined);
