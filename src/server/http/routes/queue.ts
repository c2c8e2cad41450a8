import * as z from 'zod/mini';
import type { Actor } from '../../../protocol/actor.ts';
import { type Command, isRefusal, type Refusal } from '../../../protocol/command.ts';
import { CommandAnswer, InterruptBody, QueueBody } from '../../../protocol/http.ts';
import { CommandId, SessionId } from '../../../protocol/ids.ts';
import { messageProblem } from '../../shared/message-limits.ts';
import { type Answer, type Route, route, type Services } from '../route.ts';
import { newCommandId, OfSession } from './session.ts';

const OfWaiting = z.object({ id: SessionId, commandId: CommandId });

const ofQueue = (verb: 'pause' | 'resume' | 'clear', summary: string): Route =>
  route({
    method: 'POST',
    path: `/api/sessions/:id/queue/${verb}`,
    role: 'driver',
    summary,
    params: OfSession,
    body: z._default(z.nullable(InterruptBody), null),
    answer: { status: 202, schema: CommandAnswer },
    refusals: [404, 409],
    handle: (services, { params, body, actor }) =>
      submit(services, { type: `queue.${verb}`, commandId: body?.commandId ?? newCommandId(), sessionId: params.id }, actor),
  });

/** What can be done with the queue, and with a queued message. */
export const QUEUE_ROUTES: readonly Route[] = [
  ofQueue('pause', 'Hold back what is queued until the queue is resumed'),
  ofQueue('resume', 'Continue with what is queued'),
  ofQueue('clear', 'Cancel every message that the agent does not have yet'),
  route({
    method: 'PATCH',
    path: '/api/sessions/:id/queue/:commandId',
    role: 'driver',
    summary: 'Edit a queued message, move it, or send it into the running turn: exactly one of text, before, mode',
    params: OfWaiting,
    body: QueueBody,
    answer: { status: 202, schema: CommandAnswer },
    refusals: [404, 409, 413, 422],
    handle: (services, { params, body, actor }) => change(services, params, body, actor),
  }),
  route({
    method: 'DELETE',
    path: '/api/sessions/:id/queue/:commandId',
    role: 'driver',
    summary: 'Cancel a queued message',
    params: OfWaiting,
    body: z._default(z.nullable(InterruptBody), null),
    answer: { status: 202, schema: CommandAnswer },
    refusals: [404, 409],
    handle: (services, { params, body, actor }) =>
      submit(services, { type: 'input.cancel', commandId: body?.commandId ?? newCommandId(), sessionId: params.id, target: params.commandId }, actor),
  }),
];

function change(services: Services, params: z.infer<typeof OfWaiting>, body: z.infer<typeof QueueBody>, actor: Actor): Refusal | Promise<Answer | Refusal> {
  const changes = [body.text, body.before, body.mode].filter((change) => change !== undefined);
  if (changes.length !== 1) return { refused: 'bad-request', message: 'Give exactly one of text, before and mode.' };
  const problem = messageProblem(body.text, undefined);
  if (problem !== undefined) return problem;
  const asked = { commandId: body.commandId ?? newCommandId(), sessionId: params.id, target: params.commandId };
  if (body.text !== undefined) return submit(services, { type: 'input.edit', ...asked, text: body.text }, actor);
  if (body.mode !== undefined) return submit(services, { type: 'input.steer', ...asked }, actor);
  return submit(services, { type: 'input.move', ...asked, ...(body.before && { before: body.before }) }, actor);
}

/** Submits a command. It is durable when this resolves. */
export async function submit({ engine }: Services, command: Command, actor: Actor): Promise<Answer | Refusal> {
  const receipt = await engine.submit(command, actor);
  return isRefusal(receipt) ? receipt : { status: 202, body: { commandId: receipt.commandId, seq: receipt.seq } };
}
