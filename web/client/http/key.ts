import { KEY_HEADER, keyInFragment, newKeyName } from '../../../src/protocol/api/sign-in.ts';
import { deleteKey, storedKey, storeKey } from '../storage/indexed-key.ts';

/** Below which path the server lives: each server of an origin has a key of its own. */
const pathOf = (base: string): string => new URL('.', base).pathname;

interface Surroundings {
  readonly location: Pick<Location, 'hash' | 'pathname' | 'search'>;
  readonly history: Pick<History, 'replaceState' | 'state'>;
  readonly storage: Pick<Storage, 'setItem'>;
}

/**
 * Takes the key that a sign-in put behind the `#`, before anything else looks at the address, and puts back what stood there before. It is kept at once
 * where a page that is left in the same moment does not lose it; the database gets it as soon as it is open.
 */
export function takeKeyFromAddress(base: string, { location, history, storage }: Surroundings): void {
  const found = keyInFragment(location.hash);
  if (found === undefined) return;
  history.replaceState(history.state, '', `${location.pathname}${location.search}${found.before === '' ? '' : `#${found.before}`}`);
  justTaken.set(pathOf(base), found.key);
  try {
    storage.setItem(newKeyName(pathOf(base)), found.key);
  } catch {
    // A browser that keeps nothing still has it for as long as this page lives.
  }
}

const justTaken = new Map<string, string>();
const known = new Map<string, Promise<string | undefined>>();

/** The key of this browser's sign-in; undefined when it has none. */
export function keyOf(base: string): Promise<string | undefined> {
  const path = pathOf(base);
  const found = known.get(path) ?? readKey(base, path);
  known.set(path, found);
  return found;
}

/** The same, as it stands now: another tab may have signed in since. */
export function keyNow(base: string): Promise<string | undefined> {
  known.delete(pathOf(base));
  return keyOf(base);
}

/** Other tabs hear of it, also those that are still connected by an earlier sign-in of this browser. */
export async function forgetKey(base: string): Promise<void> {
  const path = pathOf(base);
  known.delete(path);
  forgetNewKey(path);
  const channel = new BroadcastChannel(channelOf(path));
  channel.postMessage('forgotten');
  channel.close();
  await deleteKey(path);
}

export function whenKeyIsForgotten(base: string, tell: () => void): void {
  new BroadcastChannel(channelOf(pathOf(base))).onmessage = tell;
}

const channelOf = (path: string): string => `signalbox-key ${path}`;

async function readKey(base: string, path: string): Promise<string | undefined> {
  const fresh = newKey(path);
  const stored = await storedKey(path).catch(() => undefined);
  if (fresh === undefined || fresh === stored) return stored;
  // Anybody can make a link that ends with a key. One that opens nothing does not take the place of one that does.
  if (stored !== undefined && (await isRefused(base, fresh))) {
    forgetNewKey(path);
    return stored;
  }
  // A browser that cannot store it has it for as long as it stays where it is.
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
    // Then nothing was kept there either.
  }
}

/** Asks the server as this browser's sign-in. When another tab has signed in meanwhile, it asks again with the new key. */
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
