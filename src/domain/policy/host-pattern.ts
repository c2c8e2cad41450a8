/** A host name as in URLs; `withSubdomains` if it was written with a leading `*.`. */
export interface HostPattern {
  readonly host: string;
  readonly port: string;
  readonly withSubdomains: boolean;
}

export function hostPattern(text: string): HostPattern | string {
  const withSubdomains = text.startsWith('*.');
  const name = withSubdomains ? text.slice(2) : text;
  const url = /^[^\s/?#@\\*%]+$/.test(name) ? addressOf(`http://${name}/`) : undefined;
  if (url === undefined) return 'A host pattern is a host name such as docs.example.org. Add "*." in front to include subdomains, and a port if it has one.';
  const host = hostOf(url);
  if (withSubdomains && (!host.includes('.') || /^[\d.]+$|^\[/.test(host))) return `"*.${host}" is too broad. Name a more specific domain.`;
  return { host, port: url.port, withSubdomains };
}

/** For allowing: the address must be unambiguous, so that every program that reads it goes to the same host. */
export function matchesHost(pattern: HostPattern, address: string): boolean {
  const url = addressOf(address);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  if (url === undefined || /[\\\s\u0000-\u001f\u007f]/.test(address)) return false;
  return url.username === '' && url.password === '' && !/^[^/]*\/\/[^/?#]*@/.test(address) && url.port === pattern.port && isHost(pattern, hostOf(url));
}

/** For denying: on any port unless the pattern names one, with any credentials. */
export function touchesHost(pattern: HostPattern, address: string): boolean {
  const url = addressOf(address);
  return url !== undefined && (pattern.port === '' || pattern.port === url.port) && isHost(pattern, hostOf(url));
}

function isHost({ host, withSubdomains }: HostPattern, found: string): boolean {
  return found === host || (withSubdomains && found.endsWith(`.${host}`));
}

/** Host names are lower case and in their ASCII form; a dot at the end means the same host. */
export const hostOf = (url: URL): string => url.hostname.replace(/\.$/, '');

export function addressOf(text: string): URL | undefined {
  try {
    const url = new URL(text);
    return (url.protocol === 'http:' || url.protocol === 'https:') && url.hostname !== '' ? url : undefined;
  } catch {
    return undefined;
  }
}
