import * as z from 'zod/mini';
import { listedTools } from '../../../protocol/agent-tools.ts';
import { ToolAnswer, ToolList } from '../../../protocol/api/tools.ts';
import { isRefusal } from '../../../protocol/command.ts';
import { personCaller } from '../../mcp/caller.ts';
import { type Route, route } from '../route.ts';

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
    handle: async (services, { run, params, body = {}, actor, role }) => {
      const { tools } = services;
      const reply = await (run === undefined
        ? tools.callAsPerson(personCaller(services, actor, role), params.name, body)
        : tools.callFromRun(run, params.name, body));
      return isRefusal(reply) ? reply : { status: 200, body: reply };
    },
  }),
];
