import type { BrowserContextOptions } from 'playwright-core';
import { keyInFragment, newKeyName } from '../../../src/protocol/api/sign-in.ts';

interface Address {
  readonly url: string;
  readonly token: string;
}

/** What a browser holds after a sign-in. */
export interface SignedIn {
  /** `name=value`, as a Cookie header has it. */
  readonly cookie: string;
  readonly key: string;
}

/** Signs in by the address with the token, as a browser does. */
export async function signInOverHttp({ url, token }: Address): Promise<SignedIn> {
  const response = await fetch(`${url}/?token=${token}`, { redirect: 'manual' });
  const { hash } = new URL(response.headers.get('location') ?? '', url);
  const key = keyInFragment(hash)?.key;
  const cookie = response.headers.get('set-cookie')?.split(';')[0];
  if (key === undefined || cookie === undefined) throw new Error(`the sign-in was answered ${response.status} without a cookie and a key`);
  return { cookie, key };
}

/** For a new context: a browser that was just signed in, with no page loaded yet. Without a token it is for a replayed server, which asks for none. */
export async function signedIn(server: Address): Promise<Pick<BrowserContextOptions, 'storageState'>> {
  if (server.token === '') return {};
  const { cookie, key } = await signInOverHttp(server);
  const { origin, hostname } = new URL(server.url);
  const [name = '', value = ''] = cookie.split('=', 2);
  return {
    storageState: {
      cookies: [{ name, value, domain: hostname, path: '/', expires: -1, httpOnly: true, secure: false, sameSite: 'Strict' }],
      origins: [{ origin, localStorage: [{ name: newKeyName('/'), value: key }] }],
    },
  };
}
