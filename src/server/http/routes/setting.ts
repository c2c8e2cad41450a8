import * as z from 'zod/mini';
import { CommandAnswer, ContinuationBody, InterruptBody, ModeBody, ModelBody, ThinkingBody } from '../../../protocol/http.ts';
import { type Route, route } from '../route.ts';
import { submit } from './queue.ts';
import { newCommandId, OfSession } from './session.ts';

const settingRoute = { role: 'driver', params: OfSession, answer: { status: 202, schema: CommandAnswer }, refusals: [404, 409, 422] } as const;

/** Requests to the agent: what people see changes only when the agent confirms. */
export const SETTING_ROUTES: readonly Route[] = [
  route({
    ...settingRoute,
    method: 'PUT',
    path: '/api/sessions/:id/model',
    summary: 'Switch the model',
    body: ModelBody,
    handle: (services, { params, body, actor }) =>
      submit(services, { type: 'model.set', commandId: body.commandId ?? newCommandId(), sessionId: params.id, model: body.model }, actor),
  }),
  route({
    ...settingRoute,
    method: 'PUT',
    path: '/api/sessions/:id/permission-mode',
    summary: 'Switch the permission mode',
    body: ModeBody,
    handle: (services, { params, body, actor }) =>
      submit(services, { type: 'mode.set', commandId: body.commandId ?? newCommandId(), sessionId: params.id, mode: body.mode }, actor),
  }),
  route({
    ...settingRoute,
    method: 'PUT',
    path: '/api/sessions/:id/thinking',
    summary: 'Set the thinking level',
    body: ThinkingBody,
    handle: (services, { params, body, actor }) =>
      submit(services, { type: 'thinking.set', commandId: body.commandId ?? newCommandId(), sessionId: params.id, thinking: body.thinking }, actor),
  }),
  route({
    ...settingRoute,
    method: 'POST',
    path: '/api/sessions/:id/continuation',
    summary: 'Resume automatically, once: at the given time, or when the current limit resets',
    body: z._default(z.nullable(ContinuationBody), null),
    handle: (services, { params, body, actor }) =>
      submit(services, { type: 'continuation.schedule', ...body, commandId: body?.commandId ?? newCommandId(), sessionId: params.id }, actor),
  }),
  route({
    ...settingRoute,
    method: 'DELETE',
    path: '/api/sessions/:id/continuation',
    summary: 'Don’t resume automatically',
    body: z._default(z.nullable(InterruptBody), null),
    handle: (services, { params, body, actor }) =>
      submit(services, { type: 'continuation.cancel', commandId: body?.commandId ?? newCommandId(), sessionId: params.id }, actor),
  }),
];
