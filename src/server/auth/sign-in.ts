import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { keyFragment, newKeyName } from '../../protocol/api/sign-in.ts';
import { isFirstVersionCookie } from './cookie.ts';
import type { AuthContext } from './gate.ts';
import { isNavigation, type NavigationKind, navigationKind } from './navigation-kind.ts';
import { newToken } from './secret.ts';
import { bouncePage, finishSignInPage, PLAIN_PAGE_CSP, refusedPage, signInPage } from './sign-in-page.ts';
import type { Identity } from './tokens.ts';

/** A form holds a token and an address; more than this is not a sign-in. */
const FORM_BYTES = 16 * 1024;

/** The address without its `?token=`, for pages only; undefined when it carries none. */
export function cleanAddress(request: FastifyRequest): { readonly token: string; readonly address: string } | undefined {
  if (request.method !== 'GET' || request.ws || !request.url.includes('token=')) return undefined;
  const url = new URL(request.url, 'http://here');
  const token = url.searchParams.get('token');
  if (token === null || url.pathname.startsWith('/api/')) return undefined;
  url.searchParams.delete('token');
  return { token, address: localAddress(`${url.pathname}${url.search}`) };
}

/** A link in a chat or an email leads here from another site, which is fine; an image on another site with this address is not. */
export function signInWithAddress(auth: AuthContext, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { token, address } = cleanAddress(request) ?? { token: '', address: '/' };
  const asked = navigationKind(request.headers);
  if (asked === 'embedded') return sendPage(reply, 403, refusedPage());
  return signIn(auth, request, reply, { token, next: address, asked });
}

/** The form, and the routes a page uses to sign in and out. */
export function mountSignIn(app: FastifyInstance, auth: AuthContext): void {
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string', bodyLimit: FORM_BYTES }, (_request, body, done) => {
    done(null, Object.fromEntries(new URLSearchParams(String(body))));
  });
  app.get('/sign-in', (request, reply) =>
    sendPage(reply, 200, signInPage({ action: atBase(auth, '/sign-in'), next: localAddress(field(request.query, 'next')), note: noteFor(auth, request) })),
  );
  app.post('/sign-in', (request, reply) =>
    signIn(auth, request, reply, { token: field(request.body, 'token').trim(), next: localAddress(field(request.body, 'next')), asked: 'direct' }),
  );
  app.get<{ Params: { ticket: string } }>('/sign-in/:ticket', (request, reply) => {
    const pending = auth.tickets.take(request.params.ticket);
    if (pending === undefined) return reply.redirect(atBase(auth, '/'), 303);
    return sendPage(reply, 200, finishSignInPage({ ...pending, store: newKeyName(`${auth.settings.basePath}/`) }));
  });
  app.post('/sign-out', { config: { role: 'viewer' } }, (request, reply) => {
    if (request.signIn !== undefined) auth.signIns.end(request.signIn);
    return reply.header('set-cookie', auth.jar().clear()).header('cache-control', 'no-store').code(204).send();
  });
}

export function showSignIn(auth: AuthContext, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (request.headers['sec-fetch-site'] === 'cross-site') return sendPage(reply, 200, bouncePage());
  return sendPage(reply, 401, signInPage({ action: atBase(auth, '/sign-in'), next: localAddress(request.url), note: noteFor(auth, request) }));
}

/** Why a signed-in person has to sign in again. */
function noteFor(auth: AuthContext, request: FastifyRequest): string | undefined {
  const cookies = auth.jar().read(request.headers.cookie);
  if (cookies.some(isFirstVersionCookie)) return 'Signalbox was updated with a safer sign-in. Please sign in again. Your drafts are kept.';
  return auth.signIns.isNamed(cookies) ? 'This browser has lost its sign-in key. Please sign in again. Your drafts are kept.' : undefined;
}

interface Attempt {
  readonly token: string;
  readonly next: string;
  readonly asked: Exclude<NavigationKind, 'embedded'>;
}

function signIn(auth: AuthContext, request: FastifyRequest, reply: FastifyReply, { token, next, asked }: Attempt): FastifyReply {
  const action = atBase(auth, '/sign-in');
  const limit = asked === 'foreign' ? auth.foreignLimit : auth.signInLimit;
  const wait = limit.waitSeconds(request.ip);
  if (wait > 0) {
    reply.header('retry-after', String(wait));
    return sendPage(reply, 429, signInPage({ action, next, problem: `Too many wrong tokens from this address. Try again in ${wait} seconds.` }));
  }
  const identity = auth.tokens.verify(token);
  if (identity === undefined) {
    limit.failed(request.ip);
    return sendPage(reply, 401, signInPage({ action, next, problem: 'Wrong token. Check it and try again.' }));
  }
  return finishSignIn(auth, request, reply, { identity, next });
}

/** Sets the cookie and passes the key in the fragment of the address, which is never sent to a server. */
export function finishSignIn(
  auth: AuthContext,
  request: FastifyRequest,
  reply: FastifyReply,
  { identity, next }: { identity: Identity; next: string },
): FastifyReply {
  const { cookie, key } = auth.signIns.start(identity, auth.jar().read(request.headers.cookie));
  const [address = '/', before = ''] = next.split('#', 2);
  // A redirect with its own fragment replaces the `#e12` of a link, so such a link takes one extra step, where a script can see both.
  const isEventLink = request.method === 'GET' && isNavigation(request.headers) && address.startsWith('/s/');
  const target = isEventLink ? `/sign-in/${auth.tickets.keep({ key, next: atBase(auth, address) })}` : `${address}${keyFragment(key, before)}`;
  return reply.header('set-cookie', auth.jar().issue(cookie)).header('cache-control', 'no-store').redirect(atBase(auth, target), 303);
}

/** Keys on their way to a page, each behind a ticket that works once. */
export interface SignInTickets {
  keep(pending: PendingSignIn): string;
  take(ticket: string): PendingSignIn | undefined;
}

interface PendingSignIn {
  readonly key: string;
  readonly next: string;
}

/** Browsers follow a redirect immediately. */
const TICKET_LIFE_MS = 30_000;
const TICKETS_MAX = 1000;

export function createSignInTickets(now: () => number): SignInTickets {
  const waiting = new Map<string, PendingSignIn & { readonly endsAt: number }>();
  return {
    keep: (pending) => {
      for (const [ticket, { endsAt }] of waiting) if (endsAt <= now() || waiting.size >= TICKETS_MAX) waiting.delete(ticket);
      const ticket = newToken();
      waiting.set(ticket, { ...pending, endsAt: now() + TICKET_LIFE_MS });
      return ticket;
    },
    take: (ticket) => {
      const found = waiting.get(ticket);
      waiting.delete(ticket);
      return found !== undefined && found.endsAt > now() ? found : undefined;
    },
  };
}

/** The referrer is sent to our own pages only; without it, browsers wouldn't say which page a form comes from. */
export const sendPage = (reply: FastifyReply, status: number, html: string): FastifyReply =>
  reply
    .code(status)
    .headers({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': PLAIN_PAGE_CSP,
      'referrer-policy': 'same-origin',
      'cache-control': 'no-store',
    })
    .send(html);

export const atBase = (auth: AuthContext, address: string): string => `${auth.settings.basePath}${address}`;

/** Only our own addresses can follow a sign-in: `//evil` and `/\evil` lead elsewhere. */
const localAddress = (address: string): string => (/^\/(?![/\\])[^\s]*$/.test(address) ? address : '/');

export function field(body: unknown, name: string): string {
  if (typeof body !== 'object' || body === null) return '';
  const value: unknown = Reflect.get(body, name);
  return typeof value === 'string' ? value : '';
}
