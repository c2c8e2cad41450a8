import type { Browser, BrowserContext, BrowserContextOptions } from 'playwright-core';
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

/**
 * A browser that was just signed in, with no page loaded yet. Without a token it is for a replayed server, which asks for none. The key comes with the first page:
 * Playwright's own storage state opens a page of its own for it, which takes a sixth of what it costs to open one for somebody.
 */
export async function signedInContext(browser: Browser, server: Address, options: BrowserContextOptions): Promise<BrowserContext> {
  const context = await browser.newContext(options);
  if (server.token === '') return context;
  const { cookie, key } = await signInOverHttp(server);
  const { origin } = new URL(server.url);
  const [name = '', value = ''] = cookie.split('=', 2);
  await context.addCookies([{ name, value, url: origin, httpOnly: true, sameSite: 'Strict' }]);
  await context.addInitScript(bringKey, { origin, name: newKeyName('/'), key });
  return context;
}

/** Runs in every page of the context, and does something in the first one of the server only: what happens to the key then is up to the page. */
function bringKey(given: { readonly origin: string; readonly name: string; readonly key: string }): void {
  if (location.origin !== given.origin || localStorage.getItem('test:key-given') !== null) return;
  localStorage.setItem('test:key-given', 'yes');
  localStorage.setItem(given.name, given.key);
}
