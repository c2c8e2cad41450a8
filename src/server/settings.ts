/** What the ways in need to know; `main.ts` fills it from the configuration. */
export interface ServerSettings {
  readonly host: string;
  /** 0 takes any free one. */
  readonly port: number;
  /** Under which the whole cockpit lies, such as `/signalbox`; empty for the root. */
  readonly basePath: string;
  /** The address people use when a proxy stands before us. */
  readonly publicUrl?: string | undefined;
  readonly tls?: { readonly certFile: string; readonly keyFile: string } | undefined;
  readonly allowedHosts: readonly string[];
}

export const isLoopback = (host: string): boolean => host === 'localhost' || host === '::1' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host);

/** Whether browsers reach us by https, so that the cookie may be marked Secure. */
export const isSecure = (settings: ServerSettings): boolean => settings.tls !== undefined || settings.publicUrl?.startsWith('https:') === true;
