import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Actor, SYSTEM } from '../../protocol/actor.ts';
import { isRefusal } from '../../protocol/command.ts';
import { engineFor, hiddenFrom, indexFor, listsFor } from '../auth/access.ts';
import { actorOf } from '../auth/roles.ts';
import type { Identity } from '../auth/tokens.ts';
import { STATUS_OF_REFUSAL, sendError } from '../shared/errors.ts';
import type { Route, Services } from './route.ts';

/** Registers the routes. Only this file knows Fastify. */
export function mountRoutes(app: FastifyInstance, routes: readonly Route[], services: Services): void {
  for (const line of routes) {
    app.route({
      method: line.method,
      url: line.path,
      config: line.role === 'public' ? {} : { role: line.role, ...(line.isAudited === true && { isAudited: true }) },
      handler: (request, reply) => answer(line, services, request, reply),
    });
  }
}

async function answer(line: Route, services: Services, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { params, query, body } = request;
  const { identity } = request;
  const call = {
    params,
    query,
    body,
    actor: actorBehind(request),
    role: identity?.role ?? 'viewer',
    signIn: request.signIn,
    run: request.agentRun,
    hook: request.hookAgent,
    headers: request.headers,
    gone: goneOf(reply),
  };
  const result = await line.run(servicesFor(services, identity), call);
  if (isRefusal(result)) return sendError(reply, STATUS_OF_REFUSAL[result.refused], result.refused, result.message, result.details);
  return reply
    .code(result.status)
    .header('cache-control', 'no-store')
    .headers(result.headers ?? {})
    .send(result.body);
}

/** Aborted when the connection closes before the answer is sent. */
function goneOf(reply: FastifyReply): AbortSignal {
  const gone = new AbortController();
  reply.raw.once('close', () => reply.raw.writableFinished || gone.abort());
  return gone.signal;
}

/** Limits the services of a handler to what its caller may reach. */
function servicesFor(services: Services, identity: Identity | undefined): Services {
  const who = () => identity ?? NOBODY;
  return {
    ...services,
    engine: engineFor(services.engine, who, services.sessionIndex),
    sessionList: listsFor(services.sessionList, services.engine, who),
    sessionIndex: indexFor(services.sessionIndex, services.engine, who),
    hidden: () => hiddenFrom(services.engine, who()),
  };
}

const NOBODY = { id: '', role: 'viewer' } as const;

/** Public routes send no commands; everyone else got an identity from the gate. */
function actorBehind({ identity, hookAgent, from }: FastifyRequest): Actor {
  if (hookAgent !== undefined) return { kind: 'agent', id: hookAgent, name: hookAgent, from };
  return identity === undefined ? SYSTEM : actorOf(identity, from);
}
