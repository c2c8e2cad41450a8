import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Door } from './gate.ts';
import { bouncePage, PLAIN_PAGE_CSP, signInPage } from './sign-in-page.ts';

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

export function signInWithAddress(door: Door, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { token, address } = cleanAddress(request) ?? { token: '', address: '/' };
  return signIn(door, request, reply, { token, next: address });
}

/** The forms that people without a script use. */
export function mountSignIn(app: FastifyInstance, door: Door): void {
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string', bodyLimit: FORM_BYTES }, (_request, body, done) => {
    done(null, Object.fromEntries(new URLSearchParams(String(body))));
  });
  app.post('/sign-in', (request, reply) =>
    signIn(door, request, reply, { token: field(request.body, 'token').trim(), next: localAddress(field(request.body, 'next')) }),
  );
  app.post('/sign-out', (_request, reply) => reply.header('set-cookie', door.jar().clear()).redirect(atBase(door, '/'), 303));
}

export function showSignIn(door: Door, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (request.headers['sec-fetch-site'] === 'cross-site') return sendPage(reply, 200, bouncePage());
  return sendPage(reply, 401, signInPage({ action: atBase(door, '/sign-in'), next: localAddress(request.url) }));
}

function signIn(door: Door, request: FastifyRequest, reply: FastifyReply, { token, next }: { token: string; next: string }): FastifyReply {
  const action = atBase(door, '/sign-in');
  const wait = door.signInLimit.waitSeconds(request.ip);
  if (wait > 0) {
    reply.header('retry-after', String(wait));
    return sendPage(reply, 429, signInPage({ action, next, problem: `Too many wrong tokens from this address. Try again in ${wait} seconds.` }));
  }
  const identity = door.tokens.verify(token);
  if (identity === undefined) {
    door.signInLimit.failed(request.ip);
    return sendPage(reply, 401, signInPage({ action, next, problem: 'This token is not known here.' }));
  }
  return reply.header('set-cookie', door.jar().issue(identity)).header('cache-control', 'no-store').redirect(atBase(door, next), 303);
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
