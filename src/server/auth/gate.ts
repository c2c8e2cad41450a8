import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Role } from '../../protocol/actor.ts';
import { KEY_HEADER, SIGNED_PARAMETER } from '../../protocol/api/sign-in.ts';
import { sendError } from '../http/errors.ts';
import type { ServerSettings } from '../settings.ts';
import type { CookieJar } from './cookie.ts';
import { SECURITY_HEADERS } from './headers.ts';
import type { Links } from './links.ts';
import { isOurHost, isOurOrigin } from './origin.ts';
import { BEARER_FAILURES_PER_MINUTE, createFailureLimit, type FailureLimit, SIGN_IN_FAILURES_PER_MINUTE } from './rate-limit.ts';
import { fromWhere } from './request-source.ts';
import { mayActAs } from './roles.ts';
import { type Arrivals, cleanAddress, createArrivals, showSignIn, signInWithAddress } from './sign-in.ts';
import type { SignIns } from './sign-ins.ts';
import type { Identity, Tokens } from './tokens.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who asks, by a token, by a cookie together with its key, or by a signed link. */
    identity: Identity | undefined;
    /** The sign-in of the browser that asks. */
    signIn: string | undefined;
    /** Whether the page itself may be loaded: the cookie alone is enough for that. */
    mayLoadPage: boolean;
    /** The door and the address, for the audit. */
    from: string;
  }
  interface FastifyContextConfig {
    /** What a caller must be; `page` shows the sign-in form instead of an error. Absent: public. */
    role?: Role | 'page';
  }
}

export interface Door {
  readonly settings: ServerSettings;
  readonly tokens: Tokens;
  readonly signIns: SignIns;
  readonly links: Links;
  readonly arrivals: Arrivals;
  readonly jar: () => CookieJar;
  readonly signInLimit: FailureLimit;
  /** Apart from the one above: what a page of another site makes a browser ask must not lock out the person who uses it. */
  readonly foreignLimit: FailureLimit;
  readonly bearerLimit: FailureLimit;
}

export const createDoor = (parts: Pick<Door, 'settings' | 'tokens' | 'signIns' | 'links' | 'jar'>, now: () => number): Door => ({
  ...parts,
  arrivals: createArrivals(now),
  signInLimit: createFailureLimit(SIGN_IN_FAILURES_PER_MINUTE, now),
  foreignLimit: createFailureLimit(SIGN_IN_FAILURES_PER_MINUTE, now),
  bearerLimit: createFailureLimit(BEARER_FAILURES_PER_MINUTE, now),
});

/** Every request passes here first: the name it was sent to, the page it came from, who sends it, and what that one may do. */
export async function passGate(door: Door, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> {
  reply.headers(SECURITY_HEADERS);
  if (!isOurHost(request.headers.host, door.settings)) {
    return sendError(reply, 403, 'bad-host', 'This server does not answer to that host name; name it in SIGNALBOX_ALLOWED_HOSTS if it should');
  }
  if (changesSomething(request) && !comesFromUs(request, door.settings)) {
    return sendError(reply, 403, 'bad-origin', 'This request comes from a page of another site');
  }
  if (cleanAddress(request) !== undefined) return signInWithAddress(door, request, reply);
  return admit(door, request, reply);
}

const changesSomething = (request: FastifyRequest): boolean => !['GET', 'HEAD', 'OPTIONS'].includes(request.method) || request.ws;

function comesFromUs(request: FastifyRequest, settings: ServerSettings): boolean {
  const site = request.headers['sec-fetch-site'];
  const { origin, host } = request.headers;
  return isOurOrigin({ origin, host, fetchSite: Array.isArray(site) ? site[0] : site }, settings);
}

function admit(door: Door, request: FastifyRequest, reply: FastifyReply): FastifyReply | undefined {
  const needs = request.routeOptions.config.role;
  const shown = tokenShown(request);
  request.from = fromWhere(request, shown !== undefined);
  const wait = shown === undefined ? 0 : door.bearerLimit.waitSeconds(request.ip);
  if (wait > 0 && needs !== undefined) return sendTooMany(reply, wait);
  if (shown === undefined) recognise(door, request);
  else request.identity = door.tokens.verify(shown);
  if (shown !== undefined && request.identity === undefined) door.bearerLimit.failed(request.ip);
  request.mayLoadPage ||= request.identity !== undefined;
  if (needs === undefined) return undefined;
  if (needs === 'page') return request.mayLoadPage ? undefined : showSignIn(door, request, reply);
  // A browser cannot give a socket a header: its key comes with the first frame.
  if (request.ws && request.identity === undefined && request.mayLoadPage && shown === undefined) return undefined;
  if (request.identity === undefined) return isSigned(request) ? sendExpired(reply) : sendUnauthorised(reply);
  if (mayActAs(request.identity.role, needs)) return undefined;
  return sendError(reply, 403, 'not-permitted', `This needs the role ${needs}; the token ${request.identity.name} has the role ${request.identity.role}`);
}

/** A page shows its cookie and its key, or a signed link. The cookie alone says nothing about who asks: other servers on this host have it too. */
function recognise(door: Door, request: FastifyRequest): void {
  const cookies = door.jar().read(request.headers.cookie);
  request.mayLoadPage = door.signIns.isNamed(cookies);
  const key = request.headers[KEY_HEADER];
  const signIn = typeof key === 'string' ? door.signIns.opened(cookies, key) : undefined;
  if (signIn !== undefined) {
    request.identity = signIn.identity;
    request.signIn = signIn.id;
    return;
  }
  const holder = request.method === 'GET' && !request.ws ? door.links.holderOf(request.url) : undefined;
  if (holder === undefined || holder === 'unsigned') return;
  request.identity = holder.identity;
  request.signIn = holder.signIn;
  Reflect.deleteProperty(Object(request.query), SIGNED_PARAMETER);
}

const isSigned = (request: FastifyRequest): boolean => new URL(request.url, 'http://here').searchParams.has(SIGNED_PARAMETER);

/** Bearer everywhere; `?token=` only for sockets, because browsers cannot give those a header. */
function tokenShown(request: FastifyRequest): string | undefined {
  const bearer = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
  if (bearer !== undefined || !request.ws) return bearer;
  return new URL(request.url, 'http://here').searchParams.get('token') ?? undefined;
}

const sendTooMany = (reply: FastifyReply, waitSeconds: number): FastifyReply =>
  sendError(
    reply.header('retry-after', String(waitSeconds)),
    429,
    'too-many-attempts',
    `Too many wrong tokens from this address: try again in ${waitSeconds} s`,
  );

const sendExpired = (reply: FastifyReply): FastifyReply =>
  sendError(reply, 401, 'link-expired', 'This link no longer works: it was for one minute and one address. Start the download again from the page');

export const sendUnauthorised = (reply: FastifyReply): FastifyReply =>
  sendError(
    reply.header('www-authenticate', 'Bearer'),
    401,
    'unauthorised',
    'Sign in first: send the token as "Authorization: Bearer …", or open the address that serve printed; a page also sends the key of its sign-in',
  );
