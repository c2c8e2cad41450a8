import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { SIGNED_PARAMETER, type SignedLink } from '../../protocol/api/sign-in.ts';
import type { SignIns } from './sign-ins.ts';
import type { Identity, Tokens } from './tokens.ts';

/** A link is created when somebody clicks, so it only has to last until the browser sends the request. */
export const LINK_LIFE_MS = 60_000;

/** Who asked for a link: a browser's sign-in, or a program's token. */
export interface LinkHolder {
  readonly token: string;
  readonly signIn?: string | undefined;
}

/** Downloads can't carry a header. A signed link opens one API address with GET for one minute, with the rights of the person who asked for it. */
export interface Links {
  /** Undefined when the path is not part of the API. */
  sign(path: string, holder: LinkHolder): SignedLink | undefined;
  /** The identity behind a signed address; `unsigned` when it has no signature, undefined when the signature is invalid or has expired. */
  holderOf(url: string): { readonly identity: Identity; readonly signIn: string | undefined } | 'unsigned' | undefined;
}

interface Parts {
  readonly signIns: Pick<SignIns, 'identityOf'>;
  readonly tokens: Pick<Tokens, 'claimed'>;
  readonly basePath: string;
  readonly now: () => number;
}

export function createLinks({ signIns, tokens, basePath, now }: Parts): Links {
  // No link needs to survive a restart.
  const secret = randomBytes(32);
  const identityOf = ({ token, signIn }: LinkHolder) => (signIn === undefined ? tokens.claimed(token) : signIns.identityOf(signIn));
  const signature = (path: string, holder: LinkHolder, hash: string, expiry: number): string =>
    createHmac('sha256', secret)
      .update(JSON.stringify([path, holder.token, holder.signIn ?? null, hash, expiry]))
      .digest('base64url');
  return {
    sign: (given, holder) => {
      const path = apiPath(given, basePath);
      const identity = identityOf(holder);
      if (path === undefined || identity === undefined) return undefined;
      const expiry = now() + LINK_LIFE_MS;
      const signed = [encoded(holder.token), holder.signIn ?? '', expiry, signature(path, holder, identity.hash, expiry)].join('.');
      return { url: `${basePath}${path}${path.includes('?') ? '&' : '?'}${SIGNED_PARAMETER}=${signed}`, expiresAt: new Date(expiry).toISOString() };
    },
    holderOf: (url) => {
      const [, path, signed] = SIGNED.exec(url) ?? [];
      if (path === undefined || signed === undefined) return 'unsigned';
      const [token = '', signIn = '', expiryText = '', given = ''] = signed.split('.');
      const holder = { token: Buffer.from(token, 'base64url').toString(), signIn: signIn === '' ? undefined : signIn };
      const identity = identityOf(holder);
      const expiry = Number(expiryText);
      if (identity === undefined || !(now() < expiry)) return undefined;
      return isSame(given, signature(path, holder, identity.hash, expiry)) ? { identity, signIn: holder.signIn } : undefined;
    },
  };
}

const SIGNED = new RegExp(`^([^#]*)[?&]${SIGNED_PARAMETER}=([^&#]*)$`);

/** The path as a browser will request it, without the base path. Only the API and its description can be signed. */
function apiPath(given: string, basePath: string): string | undefined {
  const here = `http://here${basePath}/`;
  if (!URL.canParse(given, here)) return undefined;
  const url = new URL(given, here);
  const path = basePath !== '' && url.pathname.startsWith(`${basePath}/`) ? url.pathname.slice(basePath.length) : url.pathname;
  if (url.host !== 'here' || !(path.startsWith('/api/') || path === '/openapi.json') || url.searchParams.has(SIGNED_PARAMETER)) return undefined;
  return `${path}${url.search}`;
}

const encoded = (text: string): string => Buffer.from(text).toString('base64url');

const isSame = (one: string, other: string): boolean => one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));
