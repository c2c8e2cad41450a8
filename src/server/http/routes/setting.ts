import * as z from 'zod/mini';
import { isRefusal } from '../../../protocol/command.ts';
import {
  CommandAnswer,
  ContinuationBody,
  InterruptBody,
  ModeBody,
  ModelBody,
  ResetPreferenceBody,
  ResetPreferenceList,
  ThinkingBody,
} from '../../../protocol/http.ts';
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
    method: 'GET',
    path: '/api/continuation',
    role: 'viewer',
    summary: 'Which sessions resume automatically when a usage limit resets',
    answer: { status: 200, schema: ResetPreferenceList },
    handle: ({ engine }) => ({ status: 200, body: { preferences: engine.resetPreferences() } }),
  }),
  route({
    method: 'PUT',
    path: '/api/continuation',
    role: 'driver',
    summary: 'Choose whether sessions resume automatically when a usage limit resets: one session, a folder, or everywhere (owner)',
    body: ResetPreferenceBody,
    answer: { status: 200, schema: ResetPreferenceList },
    refusals: [404],
    handle: async ({ engine }, { body, actor, role }) => {
      if (body.scope.kind !== 'session' && role !== 'owner') {
        return { refused: 'not-permitted', message: `Only an owner can choose this for more than one session; your role is ${role}.` };
      }
      const receipt = await engine.workspace({ type: 'continuation.prefer', ...body, commandId: body.commandId ?? newCommandId() }, actor);
      return isRefusal(receipt) ? receipt : { status: 200, body: { preferences: engine.resetPreferences() } };
    },
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
