import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Role } from '../../protocol/actor.ts';
import { sendError } from '../http/errors.ts';
import type { ServerSettings } from '../settings.ts';
import type { CookieJar } from './cookie.ts';
import { fromWhere } from './from-where.ts';
import { SECURITY_HEADERS } from './headers.ts';
import { isOurHost, isOurOrigin } from './origin.ts';
import { BEARER_FAILURES_PER_MINUTE, createFailureLimit, type FailureLimit, SIGN_IN_FAILURES_PER_MINUTE } from './rate-limit.ts';
import { mayActAs } from './roles.ts';
import { cleanAddress, showSignIn, signInWithAddress } from './sign-in.ts';
import type { Identity, Tokens } from './tokens.ts';

declare module 'fastify' {
  interface FastifyRequest {
    identity: Identity | undefined;
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
  readonly jar: () => CookieJar;
  readonly signInLimit: FailureLimit;
  readonly bearerLimit: FailureLimit;
}

export const createDoor = (parts: Pick<Door, 'settings' | 'tokens' | 'jar'>, now: () => number): Door => ({
  ...parts,
  signInLimit: createFailureLimit(SIGN_IN_FAILURES_PER_MINUTE, now),
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
  request.identity = shown === undefined ? door.jar().read(request.headers.cookie) : door.tokens.verify(shown);
  if (shown !== undefined && request.identity === undefined) door.bearerLimit.failed(request.ip);
  if (needs === undefined) return undefined;
  if (request.identity === undefined) return needs === 'page' ? showSignIn(door, request, reply) : sendUnauthorised(reply);
  if (needs === 'page' || mayActAs(request.identity.role, needs)) return undefined;
  return sendError(reply, 403, 'not-permitted', `This needs the role ${needs}; the token ${request.identity.name} has the role ${request.identity.role}`);
}

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

export const sendUnauthorised = (reply: FastifyReply): FastifyReply =>
  sendError(
    reply.header('www-authenticate', 'Bearer'),
    401,
    'unauthorised',
    'Sign in first: send the token as "Authorization: Bearer …" or open the address that serve printed',
  );
