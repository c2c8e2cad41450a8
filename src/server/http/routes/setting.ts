import * as z from 'zod/mini';
import { CommandAnswer, ContinuationBody, InterruptBody, ModeBody, ModelBody, ThinkingBody } from '../../../protocol/http.ts';
import { type Route, route } from '../route.ts';
import { submit } from './queue.ts';
import { newCommandId, OfSession } from './session.ts';

const wish = { role: 'driver', params: OfSession, answer: { status: 202, schema: CommandAnswer }, refusals: [404, 409, 422] } as const;

/** Wishes: what is shown changes with the agent's own confirmation. */
export const SETTING_ROUTES: readonly Route[] = [
  route({
    ...wish,
    method: 'PUT',
    path: '/api/sessions/:id/model',
    summary: 'Ask the agent to go on with another model',
    body: ModelBody,
    handle: (services, { params, body, actor }) =>
      submit(services, { type: 'model.set', commandId: body.commandId ?? newCommandId(), sessionId: params.id, model: body.model }, actor),
  }),
  route({
    ...wish,
    method: 'PUT',
    path: '/api/sessions/:id/permission-mode',
    summary: 'Ask the agent to go on in another permission mode',
    body: ModeBody,
    handle: (services, { params, body, actor }) =>
      submit(services, { type: 'mode.set', commandId: body.commandId ?? newCommandId(), sessionId: params.id, mode: body.mode }, actor),
  }),
  route({
    ...wish,
    method: 'PUT',
    path: '/api/sessions/:id/thinking',
    summary: 'Ask the agent to think more or less',
    body: ThinkingBody,
    handle: (services, { params, body, actor }) =>
      submit(services, { type: 'thinking.set', commandId: body.commandId ?? newCommandId(), sessionId: params.id, thinking: body.thinking }, actor),
  }),
  route({
    ...wish,
    method: 'POST',
    path: '/api/sessions/:id/continuation',
    summary: 'Go on by itself, once: at the given time, or when the limit in force resets',
    body: z._default(z.nullable(ContinuationBody), null),
    handle: (services, { params, body, actor }) =>
      submit(services, { type: 'continuation.schedule', ...body, commandId: body?.commandId ?? newCommandId(), sessionId: params.id }, actor),
  }),
  route({
    ...wish,
    method: 'DELETE',
    path: '/api/sessions/:id/continuation',
    summary: 'Do not go on by itself',
    body: z._default(z.nullable(InterruptBody), null),
    handle: (services, { params, body, actor }) =>
      submit(services, { type: 'continuation.cancel', commandId: body?.commandId ?? newCommandId(), sessionId: params.id }, actor),
  }),
];
