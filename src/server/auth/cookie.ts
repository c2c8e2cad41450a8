import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Identity, Tokens } from './tokens.ts';

/** A signed-in browser stays so for 90 days; after that it asks for the token again. */
const COOKIE_LIFE_SECONDS = 90 * 24 * 3600;

export interface CookieJar {
  readonly name: string;
  /** The Set-Cookie line for somebody who has shown a token. */
  issue(identity: Identity): string;
  clear(): string;
  /** Who the Cookie header says this is, if it is one of ours, fresh, and its token still exists. */
  read(header: string | undefined): Identity | undefined;
}

interface JarOptions {
  readonly tokens: Tokens;
  /** Cookies do not tell ports apart; the name does, so that two servers on one machine do not sign each other out. */
  readonly port: number;
  readonly path: string;
  readonly secure: boolean;
  readonly now: () => number;
}

/** The value is `name.expiry.mac`: the mac is keyed by the owner's token and covers the hash of the token that was shown, so that revoking either ends it. */
export function createCookieJar({ tokens, port, path, secure, now }: JarOptions): CookieJar {
  const name = `signalbox_${port}`;
  const key = createHmac('sha256', tokens.ownerToken).update('signalbox cookie').digest();
  const attributes = `; Path=${path}; HttpOnly; SameSite=Strict${secure ? '; Secure' : ''}`;
  return {
    name,
    issue: (identity) => {
      const expiry = Math.floor(now() / 1000) + COOKIE_LIFE_SECONDS;
      return `${name}=${cookieValue(key, identity, expiry)}${attributes}; Max-Age=${COOKIE_LIFE_SECONDS}`;
    },
    clear: () => `${name}=${attributes}; Max-Age=0`,
    read: (header) => {
      const value = cookieNamed(header, name);
      return value === undefined ? undefined : identityOf(value, key, tokens, now());
    },
  };
}

function cookieValue(key: Buffer, identity: Identity, expiry: number): string {
  const mac = createHmac('sha256', key).update(`${identity.name}\n${identity.hash}\n${expiry}`).digest('base64url');
  return `${Buffer.from(identity.name).toString('base64url')}.${expiry}.${mac}`;
}

function identityOf(value: string, key: Buffer, tokens: Tokens, nowMs: number): Identity | undefined {
  const [encoded = '', expiryText = ''] = value.split('.');
  const expiry = Number(expiryText);
  const identity = tokens.claimed(Buffer.from(encoded, 'base64url').toString());
  if (identity === undefined || !(expiry > nowMs / 1000)) return undefined;
  const expected = Buffer.from(cookieValue(key, identity, expiry));
  const given = Buffer.from(value);
  return expected.length === given.length && timingSafeEqual(expected, given) ? tokens.named(identity.name) : undefined;
}

function cookieNamed(header: string | undefined, name: string): string | undefined {
  const prefix = `${name}=`;
  const pair = header?.split(';').find((part) => part.trim().startsWith(prefix));
  return pair?.trim().slice(prefix.length);
}
