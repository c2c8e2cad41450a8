import { randomUUID } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RemoteRequest, RemoteResponse } from '../../cluster/requests-out.ts';
import { isRefusal, type Refusal } from '../../protocol/command.ts';
import { SessionId } from '../../protocol/ids.ts';
import type { Identity } from '../auth/tokens.ts';
import { STATUS_OF_REFUSAL, sendError } from '../shared/errors.ts';
import { freshId } from '../shared/fresh-id.ts';
import { unknownFieldIn } from '../shared/unknown-fields.ts';
import { maybeAway } from './away.ts';
import { call, callAll } from './call.ts';
import { isPlace, locate } from './locate.ts';
import { type RemoteContext, vouchFor } from './remote-context.ts';

/** Who has to answer a request. */
type Target = { readonly session: SessionId } | { readonly node: string } | 'whoever-has-it' | 'here';

/** What a person asks of one machine, by its id in the query or the body. */
const OF_A_MACHINE = new Set([
  'POST /api/sessions',
  'GET /api/agents',
  'GET /api/agents/:id/past',
  'GET /api/folders',
  'GET /api/machine',
  'GET /api/worktrees/preview',
]);

/** Ids that don't say where they are: a blob, a comment, a review. */
const ANYWHERE = /^\/api\/(blobs|annotations|reviews)\/:/;

const ASK_MS = 2000;

/** Answers a request that another machine has to answer; undefined: it is for this machine. */
export async function forward(context: RemoteContext, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> {
  const { identity } = request;
  // Somebody who was vouched for is where they wanted to be.
  if (identity === undefined || identity.via !== undefined || request.agentRun !== undefined) return undefined;
  const target = targetOf(context, request);
  if (target === 'here') return undefined;
  if (target === 'whoever-has-it') return askAround(context, request, reply, identity);
  if ('node' in target) return target.node === context.self.id ? withoutNode(request) : pass(context, target.node, request, reply, identity);
  const place = await locate(context, target.session, identity, request.from);
  if (!isPlace(place)) return refuse(reply, place);
  return place.kind === 'local' ? undefined : pass(context, place.node, request, reply, identity);
}

function targetOf(context: RemoteContext, request: FastifyRequest): Target {
  const path = request.routeOptions.url ?? '';
  const { id = '', requestId = '' } = Object(request.params) as { readonly id?: string; readonly requestId?: string };
  if (path.startsWith('/api/sessions/:id')) return sessionTarget(id);
  if (path.startsWith('/api/permissions/:requestId')) return requestTarget(context, requestId);
  if (path.startsWith('/api/worktrees/:id')) return worktreeTarget(context, id);
  if (ANYWHERE.test(path)) return 'whoever-has-it';
  const { node } = { ...Object(request.query), ...Object(request.body) } as { readonly node?: unknown };
  if (typeof node === 'string' && OF_A_MACHINE.has(`${request.method} ${path}`)) return { node };
  const { sessionId, session } = { ...Object(request.query), ...Object(request.body) } as { readonly sessionId?: unknown; readonly session?: unknown };
  if (path === '/api/annotations') return sessionTarget(sessionId ?? session);
  return 'here';
}

function sessionTarget(id: unknown): Target {
  const parsed = SessionId.safeParse(id);
  return parsed.success ? { session: parsed.data } : 'here';
}

function requestTarget({ local, store }: RemoteContext, requestId: string): Target {
  if (local.engine.sessionOfRequest(requestId as never) !== undefined) return 'here';
  const known = store.ofRequest(requestId);
  return known === undefined ? 'whoever-has-it' : { node: known.node };
}

function worktreeTarget({ local, store }: RemoteContext, id: string): Target {
  const known = store.session(id) ?? store.ofWorktree(id);
  return known === undefined || local.engine.session(id as SessionId) !== undefined ? 'here' : { node: known.node };
}

/** The query may name this machine, which the route itself doesn't know about. */
function withoutNode(request: FastifyRequest): undefined {
  for (const part of [request.query, request.body]) if (typeof part === 'object' && part !== null) Reflect.deleteProperty(part, 'node');
  return undefined;
}

async function pass(context: RemoteContext, node: string, request: FastifyRequest, reply: FastifyReply, identity: Identity): Promise<FastifyReply> {
  const { sent, isRepeatable } = requestTo(context, request, identity);
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  const response = await call(context, node, sent, { isRead, isRepeatable: isRead || isRepeatable });
  return isRefusal(response) ? refuse(reply, response) : relay(reply, response);
}

/** Nobody knows who has it: this machine answers if it can, then the first other one that can. */
async function askAround(context: RemoteContext, request: FastifyRequest, reply: FastifyReply, identity: Identity): Promise<FastifyReply | undefined> {
  const here = await isHere(context, request, identity);
  if (here) return undefined;
  const { sent } = requestTo(context, request, identity);
  const { found, silent } = await callAll(context, sent, ASK_MS);
  const answer = found.find(({ response }) => response.status !== 404);
  if (answer !== undefined) return relay(reply, answer.response);
  // This machine says that it doesn't exist, unless somebody who may have it is away.
  return silent.length > 0 || context.cluster.state !== 'joined' ? refuse(reply, maybeAway(context, silent)) : undefined;
}

async function isHere({ local }: RemoteContext, request: FastifyRequest, _identity: Identity): Promise<boolean> {
  const { sha256, id } = Object(request.params) as { readonly sha256?: string; readonly id?: string };
  if (sha256 !== undefined) return local.engine.blob(sha256) !== undefined || (await local.sessionIndex.blob(sha256)) !== undefined;
  if (id === undefined) return false;
  if (request.routeOptions.url?.startsWith('/api/reviews')) return local.engine.review(id as never) !== undefined;
  return local.engine.annotated().some((session) => local.engine.session(session) !== undefined && hasAnnotation(local, session, id));
}

const hasAnnotation = ({ engine }: RemoteContext['local'], session: SessionId, id: string): boolean =>
  engine.events(session, { after: 0, limit: Number.MAX_SAFE_INTEGER }).some((event) => 'annotationId' in event && event.annotationId === id);

interface Outgoing {
  readonly sent: RemoteRequest;
  readonly isRepeatable: boolean;
}

/** The same request, with a command id or session id of its own where the sender gave none, so that it can be repeated. */
function requestTo(context: RemoteContext, request: FastifyRequest, identity: Identity): Outgoing {
  const who = vouchFor(context, identity, request.from);
  const { body, isRepeatable } = repeatable(context, request);
  const query = new URLSearchParams(Object.entries(Object(request.query) as Record<string, string>).filter(([name]) => name !== 'node'));
  const path = request.url.split('?')[0] ?? request.url;
  const url = query.size === 0 ? path : `${path}?${query}`;
  const payload = body === undefined ? new Uint8Array() : Buffer.from(JSON.stringify(body));
  const sent = { method: request.method, url, body: payload, who, ...(body === undefined ? {} : { type: 'application/json' }) };
  return { sent, isRepeatable };
}

function repeatable({ local }: RemoteContext, request: FastifyRequest): { readonly body: unknown; readonly isRepeatable: boolean } {
  const path = request.routeOptions.url ?? '';
  const body = request.body ?? undefined;
  if (request.method === 'GET' || (body !== undefined && typeof body !== 'object')) return { body, isRepeatable: false };
  const { node: _node, ...fields } = Object(body) as Record<string, unknown>;
  if (request.method === 'POST' && path === '/api/sessions') return { body: { id: freshId(), ...fields }, isRepeatable: true };
  const schema = local.routes.find((route) => route.method === request.method && route.path === path)?.body;
  if (schema === undefined || unknownFieldIn(schema, { commandId: '' })?.name === 'commandId') return { body, isRepeatable: false };
  return { body: { commandId: randomUUID(), ...fields }, isRepeatable: true };
}

const refuse = (reply: FastifyReply, { refused, message, details }: Refusal): FastifyReply =>
  sendError(reply, STATUS_OF_REFUSAL[refused], refused, message, details);

const relay = (reply: FastifyReply, { status, headers, body }: RemoteResponse): FastifyReply => reply.code(status).headers(headers).send(body);
