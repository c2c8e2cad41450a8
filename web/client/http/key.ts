import { KEY_HEADER, keyInFragment, newKeyName } from '../../../src/protocol/api/sign-in.ts';
import { deleteKey, storedKey, storeKey } from '../storage/indexed-key.ts';

/** The server's base path: each server of an origin has its own key. */
const pathOf = (base: string): string => new URL('.', base).pathname;

interface BrowserParts {
  readonly location: Pick<Location, 'hash' | 'pathname' | 'search'>;
  readonly history: Pick<History, 'replaceState' | 'state'>;
  readonly storage: Pick<Storage, 'setItem'>;
}

/**
 * Takes the key that a sign-in put after the `#`, before anything else reads the address, and restores what was there before. It is stored at once, so that
 * leaving the page right away doesn't lose it; the database gets it as soon as it is open.
 */
export function takeKeyFromAddress(base: string, { location, history, storage }: BrowserParts): void {
  const found = keyInFragment(location.hash);
  if (found === undefined) return;
  history.replaceState(history.state, '', `${location.pathname}${location.search}${found.before === '' ? '' : `#${found.before}`}`);
  justTaken.set(pathOf(base), found.key);
  try {
    storage.setItem(newKeyName(pathOf(base)), found.key);
  } catch {
    // Without storage it lasts as long as this page.
  }
}

const justTaken = new Map<string, string>();
const known = new Map<string, Promise<string | undefined>>();

/** The key of this browser's sign-in; undefined without one. */
export function keyOf(base: string): Promise<string | undefined> {
  const path = pathOf(base);
  const found = known.get(path) ?? readKey(base, path);
  known.set(path, found);
  return found;
}

/** The same, read again: another tab may have signed in since. */
export function keyNow(base: string): Promise<string | undefined> {
  known.delete(pathOf(base));
  return keyOf(base);
}

/** Notifies other tabs, including those still connected with an earlier sign-in of this browser. */
export async function forgetKey(base: string): Promise<void> {
  const path = pathOf(base);
  known.delete(path);
  forgetNewKey(path);
  const channel = new BroadcastChannel(channelOf(path));
  channel.postMessage('forgotten');
  channel.close();
  await deleteKey(path);
}

export function whenKeyIsForgotten(base: string, notify: () => void): void {
  new BroadcastChannel(channelOf(pathOf(base))).onmessage = notify;
}

const channelOf = (path: string): string => `signalbox-key ${path}`;

async function readKey(base: string, path: string): Promise<string | undefined> {
  const fresh = newKey(path);
  const stored = await storedKey(path).catch(() => undefined);
  if (fresh === undefined || fresh === stored) return stored;
  // Anyone can make a link that ends with a key. An invalid key must not replace a valid one.
  if (stored !== undefined && (await isRefused(base, fresh))) {
    forgetNewKey(path);
    return stored;
  }
  // If it can't be stored, it stays where it is.
  await storeKey(path, fresh).then(
    () => forgetNewKey(path),
    () => undefined,
  );
  return fresh;
}

const isRefused = async (base: string, key: string): Promise<boolean> => (await ask(base, 'api/me', {}, key).catch(() => undefined))?.status === 401;

function newKey(path: string): string | undefined {
  try {
    return localStorage.getItem(newKeyName(path)) ?? justTaken.get(path);
  } catch {
    return justTaken.get(path);
  }
}

function forgetNewKey(path: string): void {
  justTaken.delete(path);
  try {
    localStorage.removeItem(newKeyName(path));
  } catch {
    // Then nothing was stored there either.
  }
}

/** Sends a request with this browser's key. If another tab has signed in meanwhile, it retries with the new key. */
export async function fetchWithKey(base: string, path: string, init: Init = {}): Promise<Response> {
  const key = await keyOf(base);
  const response = await ask(base, path, init, key);
  if (response.status !== 401) return response;
  const fresh = await keyNow(base);
  return fresh === undefined || fresh === key ? response : ask(base, path, init, fresh);
}

interface Init extends RequestInit {
  readonly headers?: Readonly<Record<string, string>>;
}

const ask = (base: string, path: string, init: Init, key: string | undefined): Promise<Response> =>
  fetch(new URL(path, base), { credentials: 'same-origin', ...init, headers: { ...init.headers, ...(key !== undefined && { [KEY_HEADER]: key }) } });
