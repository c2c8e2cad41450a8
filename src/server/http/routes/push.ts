import * as z from 'zod/mini';
import { PushDevice, PushSettings, PushSettingsPatch, PushState, SubscribeBody } from '../../../protocol/api/outside/push.ts';
import { isRefusal } from '../../../protocol/command.ts';
import { type Route, route } from '../route.ts';

const Devices = z.object({ devices: z.array(PushDevice) });

export const PUSH_ROUTES: readonly Route[] = [
  route({
    method: 'GET',
    path: '/api/push',
    role: 'viewer',
    summary: 'The caller’s notification settings and browsers',
    answer: { status: 200, schema: PushState },
    handle: ({ push }, { actor }) => ({ status: 200, body: push.state(actor) }),
  }),
  route({
    method: 'POST',
    path: '/api/push/devices',
    role: 'viewer',
    summary: 'Send notifications to this browser, subscribed with the public key; repeating it replaces the earlier subscription',
    body: SubscribeBody,
    answer: { status: 201, schema: PushDevice },
    refusals: [413],
    handle: async ({ push }, { actor, body }) => {
      const made = await push.subscribe(actor, body);
      return isRefusal(made) ? made : { status: 201, body: made };
    },
  }),
  route({
    method: 'DELETE',
    path: '/api/push/devices/:id',
    role: 'viewer',
    summary: 'Stop sending notifications to this browser',
    params: z.object({ id: z.string() }),
    answer: { status: 200, schema: PushState },
    refusals: [404],
    handle: async ({ push }, { actor, params }) =>
      (await push.unsubscribe(actor, params.id))
        ? { status: 200, body: push.state(actor) }
        : { refused: 'not-found', message: `There is no browser ${params.id}` },
  }),
  route({
    method: 'PATCH',
    path: '/api/push/settings',
    role: 'viewer',
    summary: 'Set what to be notified about, quiet hours and muted sessions',
    body: PushSettingsPatch,
    answer: { status: 200, schema: PushSettings },
    handle: async ({ push }, { actor, body }) => {
      const settings = await push.settle(actor, body);
      return isRefusal(settings) ? settings : { status: 200, body: settings };
    },
  }),
  route({
    method: 'POST',
    path: '/api/push/test',
    role: 'viewer',
    summary: 'Send a test notification to the caller’s browsers; returns each push service’s answer',
    answer: { status: 200, schema: Devices },
    handle: async ({ push }, { actor }) => ({ status: 200, body: { devices: await push.test(actor) } }),
  }),
];
