import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Engine } from '../../engine/engine.ts';
import type { Actor, Role } from '../../protocol/actor.ts';
import { KEY_HEADER, SIGNED_PARAMETER } from '../../protocol/api/sign-in.ts';
import type { AgentId, RunId } from '../../protocol/ids.ts';
import { sendError } from '../shared/errors.ts';
import type { ServerSettings } from '../shared/settings.ts';
import type { AgentRefusals } from './agent-refusals.ts';
import { isAllowedForAgents } from './agent-routes.ts';
import type { CookieJar } from './cookie.ts';
import { SECURITY_HEADERS } from './headers.ts';
import { type HookTokens, isAllowedForHooks } from './hook-tokens.ts';
import type { Links } from './links.ts';
import { isOurHost, isOurOrigin } from './origin.ts';
import { BEARER_FAILURES_PER_MINUTE, createFailureLimit, type FailureLimit, SIGN_IN_FAILURES_PER_MINUTE } from './rate-limit.ts';
import { createRefusedActs, type RefusedAct } from './refused-acts.ts';
import { requestSource } from './request-source.ts';
import { actorOf, mayActAs } from './roles.ts';
import type { RunTokens } from './run-tokens.ts';
import { cleanAddress, createSignInTickets, type SignInTickets, showSignIn, signInWithAddress } from './sign-in.ts';
import type { SignIns } from './sign-ins.ts';
import type { Identity, Tokens } from './tokens.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who sends it: from a token, a cookie with its key, or a signed link. */
    identity: Identity | undefined;
    /** The sign-in of the browser that sent the request. */
    signIn: string | undefined;
    /** Whether the page itself may be loaded: the cookie alone is enough for that. */
    mayLoadPage: boolean;
    /** The run of the agent that sends it, with the token of that run. */
    agentRun: RunId | undefined;
    /** The agent whose hooks send it, with the hooks' token. */
    hookAgent: AgentId | undefined;
    /** Channel and address, for the audit log. */
    from: string;
  }
  interface FastifyContextConfig {
    /** What a caller must be; `page` shows the sign-in form instead of an error. Absent: public. */
    role?: Role | 'page';
    /** A refusal because of the role leaves a line in the audit. */
    isAudited?: boolean;
  }
}

export interface AuthContext {
  readonly settings: ServerSettings;
  readonly tokens: Tokens;
  readonly runTokens: RunTokens;
  readonly hookTokens: HookTokens;
  readonly engine: Pick<Engine, 'sessionOfRun' | 'workspace' | 'session'>;
  /** Keeps for the audit what agents tried. */
  readonly refusals: AgentRefusals;
  readonly signIns: SignIns;
  readonly links: Links;
  readonly tickets: SignInTickets;
  readonly jar: () => CookieJar;
  readonly signInLimit: FailureLimit;
  /** Separate from the one above: requests that another site makes a browser send must not lock out the person using it. */
  readonly foreignLimit: FailureLimit;
  readonly bearerLimit: FailureLimit;
  readonly noteRefused: (refused: RefusedAct) => void;
}

export const createAuthContext = (
  parts: Pick<AuthContext, 'settings' | 'tokens' | 'runTokens' | 'hookTokens' | 'engine' | 'refusals' | 'signIns' | 'links' | 'jar'>,
  now: () => number,
): AuthContext => ({
  ...parts,
  tickets: createSignInTickets(now),
  signInLimit: createFailureLimit(SIGN_IN_FAILURES_PER_MINUTE, now),
  foreignLimit: createFailureLimit(SIGN_IN_FAILURES_PER_MINUTE, now),
  bearerLimit: createFailureLimit(BEARER_FAILURES_PER_MINUTE, now),
  noteRefused: createRefusedActs(parts.engine, now),
});

/** Any other address would accept a socket as if it were a page. */
const SOCKET_PATH = '/ws';

/** Checks every request first: its host name, the page it comes from, who sends it, and what they may do. */
export async function passGate(auth: AuthContext, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> {
  reply.headers(SECURITY_HEADERS);
  if (!isOurHost(request.headers.host, auth.settings)) {
    return sendError(reply, 403, 'bad-host', 'This server doesn’t accept this host name. To allow it, add it to SIGNALBOX_ALLOWED_HOSTS.');
  }
  if (request.ws && request.routeOptions.url !== SOCKET_PATH) return sendError(reply, 404, 'not-found', `Sockets open at ${SOCKET_PATH} only.`);
  if (changesSomething(request) && !comesFromUs(request, auth.settings)) {
    return sendError(reply, 403, 'bad-origin', 'This request comes from a page on another site and was refused.');
  }
  if (cleanAddress(request) !== undefined) return signInWithAddress(auth, request, reply);
  return admit(auth, request, reply);
}

const changesSomething = (request: FastifyRequest): boolean => !['GET', 'HEAD', 'OPTIONS'].includes(request.method) || request.ws;

function comesFromUs(request: FastifyRequest, settings: ServerSettings): boolean {
  const site = request.headers['sec-fetch-site'];
  const { origin, host } = request.headers;
  return isOurOrigin({ origin, host, fetchSite: Array.isArray(site) ? site[0] : site }, settings);
}

function admit(auth: AuthContext, request: FastifyRequest, reply: FastifyReply): FastifyReply | undefined {
  const needs = request.routeOptions.config.role;
  const shown = tokenIn(request);
  request.from = requestSource(request, shown !== undefined);
  const run = shown === undefined ? undefined : auth.runTokens.runOf(shown);
  if (run !== undefined) return admitAgent(auth, run, request, reply);
  const hookAgent = shown === undefined ? undefined : auth.hookTokens.agentOf(shown);
  if (hookAgent !== undefined && hookAgent !== 'wrong') return admitHook(hookAgent, request, reply);
  const wait = shown === undefined ? 0 : auth.bearerLimit.waitSeconds(request.ip);
  if (wait > 0 && needs !== undefined) return sendTooMany(reply, wait);
  if (shown === undefined) identify(auth, request);
  else request.identity = auth.tokens.verify(shown);
  if (shown !== undefined && request.identity === undefined) auth.bearerLimit.failed(request.ip);
  request.mayLoadPage ||= request.identity !== undefined;
  if (needs === undefined) return undefined;
  if (needs === 'page') return request.mayLoadPage ? undefined : showSignIn(auth, request, reply);
  // A browser can't set a header on a socket: its key comes with the first frame.
  if (request.ws && request.identity === undefined && request.mayLoadPage && shown === undefined) return undefined;
  if (request.identity === undefined) return isSigned(request) ? sendExpired(reply) : sendUnauthorized(reply);
  if (mayActAs(request.identity.role, needs)) return undefined;
  noteRefused(auth, request, actorOf(request.identity, request.from), request.identity.role);
  return sendError(
    reply,
    403,
    'not-permitted',
    `This needs the role ${needs}, but the token ${request.identity.name} has the role ${request.identity.role}. Ask an owner.`,
  );
}

/** An agent calls with the token of its run. What it may do is written down route by route; everything else is for people. */
function admitAgent(auth: AuthContext, run: RunId, request: FastifyRequest, reply: FastifyReply): FastifyReply | undefined {
  if (request.routeOptions.config.role === undefined) return undefined;
  const session = auth.engine.sessionOfRun(run);
  if (session === undefined) {
    return sendError(reply, 401, 'run-ended', 'This token belongs to a run of an agent that has ended, and ended with it.');
  }
  request.agentRun = run;
  if (isAllowedForAgents(request.method, request.routeOptions.url ?? '')) return undefined;
  auth.refusals.note(run, `${request.method} ${request.routeOptions.url ?? ''}`);
  return sendError(reply, 403, 'not-permitted', 'An agent’s token can’t do this. Ask the person you work for to do it on the page or in their own terminal.');
}

/** A token of hooks is nobody's: it opens the few routes that hooks need, and nothing else, not even the page. */
function admitHook(agent: AgentId, request: FastifyRequest, reply: FastifyReply): FastifyReply | undefined {
  if (request.routeOptions.config.role === undefined) return undefined;
  request.hookAgent = agent;
  request.from = request.from.replace(/^\S+/, 'hook');
  if (isAllowedForHooks(request.method, request.routeOptions.url ?? '')) return undefined;
  return sendError(reply, 403, 'not-permitted', 'The token of hooks can’t do this. It only reports what agents in terminals do.');
}

function noteRefused(auth: AuthContext, request: FastifyRequest, actor: Actor, role: string): void {
  if (request.routeOptions.config.isAudited !== true) return;
  const { id } = Object(request.params) as { readonly id?: string };
  auth.noteRefused({ act: `${request.method} ${request.routeOptions.url ?? ''}`, actor, role, session: id });
}

/** A page sends its cookie and its key, or a signed link. The cookie alone doesn't identify anyone: other servers on this host get it too. */
function identify(auth: AuthContext, request: FastifyRequest): void {
  const cookies = auth.jar().read(request.headers.cookie);
  request.mayLoadPage = auth.signIns.isNamed(cookies);
  const key = request.headers[KEY_HEADER];
  const signIn = typeof key === 'string' ? auth.signIns.opened(cookies, key) : undefined;
  if (signIn !== undefined) {
    request.identity = signIn.identity;
    request.signIn = signIn.id;
    return;
  }
  const holder = request.method === 'GET' && !request.ws ? auth.links.holderOf(request.url) : undefined;
  if (holder === undefined || holder === 'unsigned') return;
  request.identity = holder.identity;
  request.signIn = holder.signIn;
  Reflect.deleteProperty(Object(request.query), SIGNED_PARAMETER);
}

const isSigned = (request: FastifyRequest): boolean => new URL(request.url, 'http://here').searchParams.has(SIGNED_PARAMETER);

/** Bearer everywhere; `?token=` only for sockets, because browsers can't set a header on those. */
function tokenIn(request: FastifyRequest): string | undefined {
  const bearer = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
  if (bearer !== undefined || !request.ws) return bearer;
  return new URL(request.url, 'http://here').searchParams.get('token') ?? undefined;
}

const sendTooMany = (reply: FastifyReply, waitSeconds: number): FastifyReply =>
  sendError(
    reply.header('retry-after', String(waitSeconds)),
    429,
    'too-many-attempts',
    `Too many wrong tokens from this address. Try again in ${waitSeconds} s.`,
  );

const sendExpired = (reply: FastifyReply): FastifyReply =>
  sendError(reply, 401, 'link-expired', 'This link has expired: it was valid for one minute and one address. Start the download again from the page.');

export const sendUnauthorized = (reply: FastifyReply): FastifyReply =>
  sendError(
    reply.header('www-authenticate', 'Bearer'),
    401,
    'unauthorised',
    'Sign in first: send the token as "Authorization: Bearer …", or open the address that "signalbox serve" printed. Pages also send their sign-in key.',
  );
