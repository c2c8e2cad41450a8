import * as z from 'zod/mini';
import type { Actor, Role } from '../../../protocol/actor.ts';
import { listedTools } from '../../../protocol/agent-tools.ts';
import { CALL_HEADER, ToolAnswer, ToolList } from '../../../protocol/api/tools.ts';
import { isRefusal } from '../../../protocol/command.ts';
import type { RunId } from '../../../protocol/ids.ts';
import { personCaller } from '../../mcp/caller.ts';
import { answerMcp } from '../../mcp/http.ts';
import type { ToolReply } from '../../mcp/tool-server.ts';
import { type Route, route, type Services } from '../route.ts';

/** The tools of agents as plain JSON, for shells and for agents that take no tools from their client. */
export const TOOL_ROUTES: readonly Route[] = [
  route({
    method: 'GET',
    path: '/api/tools',
    role: 'viewer',
    summary: 'The tools that agents can use, with the schemas of their arguments',
    answer: { status: 200, schema: ToolList },
    handle: (_services, { run }) => ({ status: 200, body: { tools: listedTools(run !== undefined) } }),
  }),
  route({
    method: 'POST',
    path: '/api/tools/:name',
    role: 'viewer',
    summary: 'Call one tool; with the token of a run in that agent’s name, otherwise as the person',
    params: z.object({ name: z.string() }),
    body: z.optional(z.record(z.string(), z.unknown())),
    answer: { status: 200, schema: ToolAnswer },
    refusals: [404, 409, 410, 422],
    handle: async (services, { params, body = {}, ...who }) => {
      const reply = await callerIn(services, who)(params.name, body);
      return isRefusal(reply) ? reply : { status: 200, body: reply };
    },
  }),
  ...(['POST', 'GET', 'DELETE'] as const).map((method) =>
    route({
      method,
      path: '/mcp',
      role: 'viewer',
      summary: method === 'POST' ? 'The same tools over MCP (streamable HTTP, without sessions)' : 'Not supported: there are no MCP sessions here',
      ...(method === 'POST' && { body: z.unknown() }),
      answer: { status: method === 'POST' ? 200 : 405, contentType: 'application/json' },
      refusals: [405, 406, 415],
      handle: (services, { body, ...who }) => answerMcp({ method, headers: who.headers, body, isRun: who.run !== undefined, call: callerIn(services, who) }),
    }),
  ),
];

interface Who {
  readonly run?: RunId | undefined;
  readonly actor: Actor;
  readonly role: Role;
  readonly gone: AbortSignal;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

/** An agent calls in its own name, whatever the route; a person's program with that person's rights. */
const callerIn =
  (services: Services, { run, actor, role, headers, gone }: Who) =>
  (tool: string, input: unknown): Promise<ToolReply> =>
    run === undefined
      ? services.tools.callAsPerson(personCaller(services, actor, role), tool, input)
      : services.tools.callFromRun(run, tool, input, { callId: headers[CALL_HEADER], gone });
