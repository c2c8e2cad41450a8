export interface PortAddress {
  readonly shown: string;
  /** Undefined if this browser can't reach it. */
  readonly url?: string;
}

const EVERYWHERE: ReadonlySet<string> = new Set(['0.0.0.0', '::']);

const isLoopback = (host: string): boolean => host === 'localhost' || host === '::1' || host.startsWith('127.');

/** Where this page would open a port of the server's machine; `pageHost` is the host in the page's own address. */
export function portAddress(port: number, address: string, pageHost: string): PortAddress {
  const page = pageHost.replace(/^\[|\]$/g, '');
  const host = EVERYWHERE.has(address) ? page : address;
  const shown = `${host.includes(':') ? `[${host}]` : host}:${port}`;
  return isLoopback(host) && !isLoopback(page) ? { shown } : { shown, url: `http://${shown}/` };
}
