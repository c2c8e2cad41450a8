import type { Browser, BrowserContext, BrowserContextOptions } from 'playwright-core';
import { keyInFragment, newKeyName } from '../../../src/protocol/api/sign-in.ts';

interface Address {
  readonly url: string;
  readonly token: string;
}

/** What a browser has after a sign-in. */
export interface SignedIn {
  /** `name=value`, as a Cookie header has it. */
  readonly cookie: string;
  readonly key: string;
}

/** Signs in through the link with the token, as a browser does. */
export async function signInOverHttp({ url, token }: Address): Promise<SignedIn> {
  const response = await fetch(`${url}/?token=${token}`, { redirect: 'manual' });
  const { hash } = new URL(response.headers.get('location') ?? '', url);
  const key = keyInFragment(hash)?.key;
  const cookie = response.headers.get('set-cookie')?.split(';')[0];
  if (key === undefined || cookie === undefined) throw new Error(`the sign-in was answered ${response.status} without a cookie and a key`);
  return { cookie, key };
}

/**
 * A browser context that is signed in but has no page loaded yet. A replay server needs no sign-in and has no token. The key is set by the first page:
 * Playwright's storage state would open an extra page for it, which is a sixth of the cost of opening one for a person.
 */
export async function signedInContext(browser: Browser, server: Address, options: BrowserContextOptions): Promise<BrowserContext> {
  const context = await browser.newContext(options);
  if (server.token === '') return context;
  const { cookie, key } = await signInOverHttp(server);
  const { origin } = new URL(server.url);
  const [name = '', value = ''] = cookie.split('=', 2);
  await context.addCookies([{ name, value, url: origin, httpOnly: true, sameSite: 'Strict' }]);
  await context.addInitScript(storeKey, { origin, name: newKeyName('/'), key });
  return context;
}

/** Runs in every page of the context, but only acts in the first one from the server. After that, the key is up to the page. */
function storeKey(given: { readonly origin: string; readonly name: string; readonly key: string }): void {
  if (location.origin !== given.origin || localStorage.getItem('test:key-given') !== null) return;
  localStorage.setItem('test:key-given', 'yes');
  localStorage.setItem(given.name, given.key);
}
