import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { keyFragment, newKeyName } from '../../protocol/api/sign-in.ts';
import { isFirstEditionCookie } from './cookie.ts';
import type { Door } from './gate.ts';
import { type HowAsked, howAsked, isNavigation } from './navigation-kind.ts';
import { newToken } from './secret.ts';
import { arrivalPage, bouncePage, PLAIN_PAGE_CSP, refusedPage, signInPage } from './sign-in-page.ts';
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

/** A link from a chat or an e-mail leads here from another site and is fine; an image of another site that has this address is not. */
export function signInWithAddress(door: Door, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { token, address } = cleanAddress(request) ?? { token: '', address: '/' };
  const asked = howAsked(request.headers);
  if (asked === 'embedded') return sendPage(reply, 403, refusedPage());
  return signIn(door, request, reply, { token, next: address, asked });
}

/** The form, and what a page does to sign in and out. */
export function mountSignIn(app: FastifyInstance, door: Door): void {
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string', bodyLimit: FORM_BYTES }, (_request, body, done) => {
    done(null, Object.fromEntries(new URLSearchParams(String(body))));
  });
  app.get('/sign-in', (request, reply) =>
    sendPage(reply, 200, signInPage({ action: atBase(door, '/sign-in'), next: localAddress(field(request.query, 'next')), note: noteFor(door, request) })),
  );
  app.post('/sign-in', (request, reply) =>
    signIn(door, request, reply, { token: field(request.body, 'token').trim(), next: localAddress(field(request.body, 'next')), asked: 'direct' }),
  );
  app.get<{ Params: { ticket: string } }>('/sign-in/:ticket', (request, reply) => {
    const arrival = door.arrivals.take(request.params.ticket);
    if (arrival === undefined) return reply.redirect(atBase(door, '/'), 303);
    return sendPage(reply, 200, arrivalPage({ ...arrival, store: newKeyName(`${door.settings.basePath}/`) }));
  });
  app.post('/sign-out', { config: { role: 'viewer' } }, (request, reply) => {
    if (request.signIn !== undefined) door.signIns.end(request.signIn);
    return reply.header('set-cookie', door.jar().clear()).header('cache-control', 'no-store').code(204).send();
  });
}

export function showSignIn(door: Door, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (request.headers['sec-fetch-site'] === 'cross-site') return sendPage(reply, 200, bouncePage());
  return sendPage(reply, 401, signInPage({ action: atBase(door, '/sign-in'), next: localAddress(request.url), note: noteFor(door, request) }));
}

/** Why somebody who was signed in is asked again. */
function noteFor(door: Door, request: FastifyRequest): string | undefined {
  const cookies = door.jar().read(request.headers.cookie);
  if (cookies.some(isFirstEditionCookie)) return 'Signalbox was updated and signs people in more safely now. Sign in once more. What you typed is kept.';
  return door.signIns.isNamed(cookies) ? 'This browser no longer has the key of its sign-in. Sign in once more. What you typed is kept.' : undefined;
}

interface Attempt {
  readonly token: string;
  readonly next: string;
  readonly asked: Exclude<HowAsked, 'embedded'>;
}

function signIn(door: Door, request: FastifyRequest, reply: FastifyReply, { token, next, asked }: Attempt): FastifyReply {
  const action = atBase(door, '/sign-in');
  const limit = asked === 'foreign' ? door.foreignLimit : door.signInLimit;
  const wait = limit.waitSeconds(request.ip);
  if (wait > 0) {
    reply.header('retry-after', String(wait));
    return sendPage(reply, 429, signInPage({ action, next, problem: `Too many wrong tokens from this address. Try again in ${wait} seconds.` }));
  }
  const identity = door.tokens.verify(token);
  if (identity === undefined) {
    limit.failed(request.ip);
    return sendPage(reply, 401, signInPage({ action, next, problem: 'This token is not known here.' }));
  }
  return arrive(door, request, reply, { identity, next });
}

/** Sets the cookie and hands the key over in the part of the address that is never sent to a server. */
function arrive(door: Door, request: FastifyRequest, reply: FastifyReply, { identity, next }: { identity: Identity; next: string }): FastifyReply {
  const { cookie, key } = door.signIns.start(identity, door.jar().read(request.headers.cookie));
  const [address = '/', before = ''] = next.split('#', 2);
  // A browser drops the `#e12` of a link when the redirect brings one of its own, so that such a link takes one step more, where a script can see both.
  const isEventLink = request.method === 'GET' && isNavigation(request.headers) && address.startsWith('/s/');
  const target = isEventLink ? `/sign-in/${door.arrivals.keep({ key, next: atBase(door, address) })}` : `${address}${keyFragment(key, before)}`;
  return reply.header('set-cookie', door.jar().issue(cookie)).header('cache-control', 'no-store').redirect(atBase(door, target), 303);
}

/** Keys on their way to a page, each under a ticket that works once. */
export interface Arrivals {
  keep(arrival: Arrival): string;
  take(ticket: string): Arrival | undefined;
}

interface Arrival {
  readonly key: string;
  readonly next: string;
}

/** A browser follows a redirect at once. */
const ARRIVAL_MS = 30_000;
const ARRIVALS_MAX = 1000;

export function createArrivals(now: () => number): Arrivals {
  const waiting = new Map<string, Arrival & { readonly endsAt: number }>();
  return {
    keep: (arrival) => {
      for (const [ticket, { endsAt }] of waiting) if (endsAt <= now() || waiting.size >= ARRIVALS_MAX) waiting.delete(ticket);
      const ticket = newToken();
      waiting.set(ticket, { ...arrival, endsAt: now() + ARRIVAL_MS });
      return ticket;
    },
    take: (ticket) => {
      const found = waiting.get(ticket);
      waiting.delete(ticket);
      return found !== undefined && found.endsAt > now() ? found : undefined;
    },
  };
}

/** The referrer stays among ourselves: without one, browsers would not say which page its form comes from. */
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

const atBase = (door: Door, address: string): string => `${door.settings.basePath}${address}`;

/** Only an address of ours may follow a sign-in: `//evil` and `/\evil` lead elsewhere. */
const localAddress = (address: string): string => (/^\/(?![/\\])[^\s]*$/.test(address) ? address : '/');

function field(body: unknown, name: string): string {
  if (typeof body !== 'object' || body === null) return '';
  const value: unknown = Reflect.get(body, name);
  return typeof value === 'string' ? value : '';
}
