import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { Sha256 } from '../../protocol/ids.ts';
import { isSameHash, newToken, sha256, writeSecretFile } from './secret.ts';
import type { Identity, Tokens } from './tokens.ts';

const DAY_MS = 24 * 3600 * 1000;
/** After 90 days a browser asks for the token again. */
export const SIGN_IN_LIFE_MS = 90 * DAY_MS;
/** Browsers that can be signed in with one token at once; beyond that, the least recently used one is signed out. */
export const SIGN_INS_PER_TOKEN = 50;
/** Signing in again in the same browser adds a key: other tabs keep theirs until they read the new one. */
const KEYS_PER_SIGN_IN = 4;

/** A browser that is signed in. Each has a cookie, which other servers on this host see too, and a key, which only our own pages can read. */
export interface SignIn {
  readonly id: string;
  readonly identity: Identity;
}

export interface SignIns {
  /** The secrets of a new sign-in, known only now. A browser that is already signed in with this token keeps its sign-in and gets one more key. */
  start(identity: Identity, cookies: readonly string[]): { readonly cookie: string; readonly key: string };
  /** Whether a cookie names a sign-in: enough for the page itself, and for nothing else. */
  isNamed(cookies: readonly string[]): boolean;
  /** The sign-in that both the cookie and the key belong to. */
  opened(cookies: readonly string[], key: string): SignIn | undefined;
  /** The current identity of a sign-in; undefined once it has ended. */
  identityOf(id: string): Identity | undefined;
  /** Called with the id of every sign-in that somebody ends. */
  onEnd(listener: (id: string) => void): void;
  end(id: string): void;
}

const Stored = z.object({
  id: z.string(),
  /** The token's name, and its hash at sign-in. */
  token: z.string(),
  tokenHash: Sha256,
  cookieHash: Sha256,
  keyHashes: z.array(Sha256),
  startedAt: z.number(),
  usedAt: z.number(),
});
type Stored = z.infer<typeof Stored>;
const SignInFile = z.object({ signIns: z.array(Stored) });

/** Stored in the data folder, so that a restart signs nobody out. Only hashes of the secrets are stored. */
export function openSignIns(dataDir: string, tokens: Pick<Tokens, 'claimed' | 'named'>, now: () => number = Date.now): SignIns {
  const file = join(dataDir, 'sign-ins.json');
  const listeners: ((id: string) => void)[] = [];
  let known: readonly Stored[] = readSignIns(file);
  const identityNow = (stored: Stored) => currentIdentity(tokens, stored, now());
  const named = (cookies: readonly string[]) => {
    const hashes = cookies.map(sha256);
    return known.filter((stored) => hashes.some((hash) => isSameHash(hash, stored.cookieHash)) && identityNow(stored) !== undefined);
  };
  const keep = (next: readonly Stored[]) => {
    known = next;
    writeSecretFile(file, { signIns: known });
  };
  const end = (id: string) => {
    if (!known.some((stored) => stored.id === id)) return;
    for (const listener of listeners) listener(id);
    keep(known.filter((stored) => stored.id !== id));
  };
  return {
    start: (identity, cookies) => {
      const key = newToken();
      const here = named(cookies);
      const same = here.find((stored) => isOf(stored, identity));
      for (const stored of here) if (stored !== same) end(stored.id);
      const cookie = cookies.find((value) => same !== undefined && isSameHash(sha256(value), same.cookieHash)) ?? newToken();
      const signIn = withKey(same ?? newSignIn(identity, cookie), key, now());
      const others = known.filter((stored) => stored.id !== signIn.id && identityNow(stored) !== undefined);
      keepIfPossible(() => keep([...newestOf(others, identity), signIn]));
      return { cookie, key };
    },
    isNamed: (cookies) => named(cookies).length > 0,
    opened: (cookies, key) => {
      const hash = sha256(key);
      const found = named(cookies).find((stored) => stored.keyHashes.filter((one) => isSameHash(one, hash)).length > 0);
      const identity = found === undefined ? undefined : tokens.named(found.token);
      if (found === undefined || identity === undefined) return undefined;
      // The least recent use matters to the day, not to the second.
      if (now() - found.usedAt > DAY_MS) keepIfPossible(() => keep(known.map((stored) => (stored.id === found.id ? { ...stored, usedAt: now() } : stored))));
      return { id: found.id, identity };
    },
    identityOf: (id) => {
      const stored = known.find((one) => one.id === id);
      return stored === undefined ? undefined : identityNow(stored);
    },
    onEnd: (listener) => void listeners.push(listener),
    end,
  };
}

const isOf = (stored: Stored, { name, hash }: Identity): boolean => stored.token === name && stored.tokenHash === hash;

/** A sign-in ends when it expires, and when its token is revoked or changed. */
function currentIdentity(tokens: Pick<Tokens, 'claimed'>, stored: Stored, now: number): Identity | undefined {
  const identity = tokens.claimed(stored.token);
  return identity !== undefined && isOf(stored, identity) && now < stored.startedAt + SIGN_IN_LIFE_MS ? identity : undefined;
}

const newSignIn = ({ name, hash }: Identity, cookie: string): Stored => ({
  id: newToken(),
  token: name,
  tokenHash: hash,
  cookieHash: sha256(cookie),
  keyHashes: [],
  startedAt: 0,
  usedAt: 0,
});

const withKey = (stored: Stored, key: string, now: number): Stored => ({
  ...stored,
  keyHashes: [...stored.keyHashes, sha256(key)].slice(-KEYS_PER_SIGN_IN),
  startedAt: now,
  usedAt: now,
});

/** Makes room for one more sign-in of this token. */
function newestOf(signIns: readonly Stored[], identity: Identity): readonly Stored[] {
  const ofToken = signIns.filter((stored) => isOf(stored, identity)).sort((a, b) => b.usedAt - a.usedAt);
  const tooMany = new Set(ofToken.slice(SIGN_INS_PER_TOKEN - 1));
  return signIns.filter((stored) => !tooMany.has(stored));
}

/** A file that can't be read signs everybody out, and nobody in. */
function readSignIns(file: string): readonly Stored[] {
  try {
    return SignInFile.parse(JSON.parse(readFileSync(file, 'utf8'))).signIns;
  } catch {
    return [];
  }
}

/** A full disk must not stop people from signing in; such a sign-in ends with the server. */
function keepIfPossible(keep: () => void): void {
  try {
    keep();
  } catch {
    return;
  }
}
