import { SIGN_IN_LIFE_MS } from './sign-ins.ts';

export interface CookieJar {
  readonly name: string;
  /** The Set-Cookie line that names a sign-in. */
  issue(value: string): string;
  clear(): string;
  /** All values in a Cookie header. There may be several, since other servers on this host can set cookies of this name too. */
  read(header: string | undefined): readonly string[];
}

interface JarOptions {
  /** Cookies ignore ports, so the port is part of the name: two servers on one machine don't sign each other out. */
  readonly port: number;
  readonly path: string;
  readonly secure: boolean;
}

/** The value only names a sign-in: browsers send it to every port of this host, so it must not be enough on its own. */
export function createCookieJar({ port, path, secure }: JarOptions): CookieJar {
  const name = `signalbox_${port}`;
  const attributes = `; Path=${path}; HttpOnly; SameSite=Strict${secure ? '; Secure' : ''}`;
  return {
    name,
    issue: (value) => `${name}=${value}${attributes}; Max-Age=${SIGN_IN_LIFE_MS / 1000}`,
    clear: () => `${name}=${attributes}; Max-Age=0`,
    read: (header) => cookiesNamed(header, name),
  };
}

/** Cookies of the first version were `name.expiry.signature`. */
export const isFirstVersionCookie = (value: string): boolean => /^[\w-]+\.\d+\.[\w-]+$/.test(value);

/** Any further values aren't ours. */
const VALUES_MAX = 8;

const cookiesNamed = (header: string | undefined, name: string): readonly string[] =>
  (header ?? '')
    .split(';')
    .map((part) => part.trim())
    .flatMap((part) => (part.startsWith(`${name}=`) ? [part.slice(name.length + 1)] : []))
    .slice(0, VALUES_MAX);
