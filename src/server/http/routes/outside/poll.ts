import * as z from 'zod/mini';
import type { Actor } from '../../../../protocol/actor.ts';
import { AckBody, PolledInput } from '../../../../protocol/api/outside/hooks.ts';
import { isRefusal, type Refusal } from '../../../../protocol/command.ts';
import { type AgentId, CommandId, SessionId } from '../../../../protocol/ids.ts';
import { type Route, route, type Services } from '../../route.ts';
import { waitOf } from './wait.ts';

const params = z.object({ id: SessionId });

/** Queued messages for a session that another program runs. Nothing here clears or reorders the queue. */
export const POLL_ROUTES: readonly Route[] = [
  route({
    method: 'GET',
    path: '/api/sessions/:id/input',
    role: 'driver',
    summary: 'Wait for the next queued message of a session that runs outside Signalbox; confirm it with ack within 30 s',
    params,
    query: z.object({ timeout: z.optional(z.string()), ack: z.optional(CommandId) }),
    answer: { status: 200, schema: PolledInput },
    refusals: [404, 409, 422],
    handle: async (services, { params: { id }, query, gone, ...who }) => {
      const timeoutMs = waitOf(query.timeout);
      if (typeof timeoutMs !== 'number') return timeoutMs;
      const refusal = (await refusedPoller(services, id, who)) ?? (query.ack && (await services.terminals.acknowledge(id, query.ack, who.actor)));
      if (refusal) return refusal;
      const next = await services.terminals.nextInput(id, timeoutMs, gone, who.actor);
      if (next === 'none') return { status: 204, body: undefined };
      if (isRefusal(next)) return next;
      const { commandId, text, images, context } = next;
      return { status: 200, body: { commandId, text, ...(images.length > 0 && { images }), ...(context.length > 0 && { context }) } };
    },
  }),
  route({
    method: 'POST',
    path: '/api/sessions/:id/input/ack',
    role: 'driver',
    summary: 'Confirm that a message got by polling has arrived',
    params,
    body: AckBody,
    answer: { status: 200, schema: AckBody },
    refusals: [404],
    handle: async (services, { params: { id }, body, ...who }) => {
      const refusal = (await refusedPoller(services, id, who)) ?? (await services.terminals.acknowledge(id, body.commandId, who.actor));
      return refusal ?? { status: 200, body };
    },
  }),
];

/** Hooks poll for the sessions that they reported; people for those that they can see. */
async function refusedPoller(
  { engine, terminals }: Services,
  id: SessionId,
  { hook }: { readonly hook?: AgentId | undefined; readonly actor: Actor },
): Promise<Refusal | undefined> {
  if (hook === undefined) return engine.session(id) === undefined ? { refused: 'not-found', message: `There is no session ${id}.` } : undefined;
  return terminals.isReported(id) ? undefined : { refused: 'not-permitted', message: 'Hooks can poll only for sessions that they reported.' };
}
