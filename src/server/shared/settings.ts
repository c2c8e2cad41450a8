/** What the server needs to know; `main.ts` fills it from the configuration. */
export interface ServerSettings {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** Path prefix of the whole app, such as `/signalbox`; empty for the root. */
  readonly basePath: string;
  /** The address people use when a proxy is in front of the server. */
  readonly publicUrl?: string | undefined;
  readonly tls?: { readonly certFile: string; readonly keyFile: string } | undefined;
  readonly allowedHosts: readonly string[];
}

export const isLoopback = (host: string): boolean => host === 'localhost' || host === '::1' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host);

/** Whether browsers connect over https, so that the cookie can be marked Secure. */
export const isSecure = (settings: ServerSettings): boolean => settings.tls !== undefined || settings.publicUrl?.startsWith('https:') === true;
