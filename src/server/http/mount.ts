import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Actor, SYSTEM } from '../../protocol/actor.ts';
import { isRefusal } from '../../protocol/command.ts';
import { engineFor, hiddenFrom, libraryFor, listsFor } from '../auth/access.ts';
import { actorOf } from '../auth/roles.ts';
import type { Identity } from '../auth/tokens.ts';
import { STATUS_OF_REFUSAL, sendError } from './errors.ts';
import type { Route, Services } from './route.ts';

/** Puts the table into the framework: nothing of Fastify is known below this file. */
export function mountRoutes(app: FastifyInstance, routes: readonly Route[], services: Services): void {
  for (const line of routes) {
    app.route({
      method: line.method,
      url: line.path,
      config: line.role === 'public' ? {} : { role: line.role },
      handler: (request, reply) => answer(line, services, request, reply),
    });
  }
}

async function answer(line: Route, services: Services, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { params, query, body } = request;
  const { identity } = request;
  const call = { params, query, body, actor: actorBehind(request), role: identity?.role ?? 'viewer', signIn: request.signIn };
  const result = await line.run(servicesFor(services, identity), call);
  if (isRefusal(result)) return sendError(reply, STATUS_OF_REFUSAL[result.refused], result.refused, result.message);
  return reply
    .code(result.status)
    .header('cache-control', 'no-store')
    .headers(result.headers ?? {})
    .send(result.body);
}

/** What a handler gets is already only what its caller may reach. */
function servicesFor(services: Services, identity: Identity | undefined): Services {
  const who = () => identity ?? NOBODY;
  return {
    ...services,
    engine: engineFor(services.engine, who, services.library),
    views: listsFor(services.views, services.engine, who),
    library: libraryFor(services.library, services.engine, who),
    hidden: () => hiddenFrom(services.engine, who()),
  };
}

const NOBODY = { id: '', role: 'viewer' } as const;

/** Public routes command nothing; whoever commands was let in by the gate under a name. */
const actorBehind = (request: FastifyRequest): Actor => (request.identity === undefined ? SYSTEM : actorOf(request.identity, request.from));
