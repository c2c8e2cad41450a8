import * as z from 'zod/mini';
import { NewWebhook, NewWebhookBody, WebhookId, WebhookList } from '../../../../protocol/api/outside/outside.ts';
import { isRefusal } from '../../../../protocol/command.ts';
import { type Route, route } from '../../route.ts';

const params = z.object({ id: WebhookId });

/** Programs that are told what happens. */
export const WEBHOOK_ROUTES: readonly Route[] = [
  route({
    method: 'GET',
    path: '/api/webhooks',
    role: 'owner',
    summary: 'Webhooks and how their deliveries go; never the secrets',
    answer: { status: 200, schema: WebhookList },
    handle: ({ webhooks }) => ({ status: 200, body: { webhooks: webhooks.list() } }),
  }),
  route({
    method: 'POST',
    path: '/api/webhooks',
    role: 'owner',
    isAudited: true,
    summary: 'Send events to an address, signed as Standard Webhooks; the secret is shown only in this response',
    body: NewWebhookBody,
    answer: { status: 201, schema: NewWebhook },
    refusals: [409],
    handle: async ({ webhooks }, { body, actor }) => {
      const added = await webhooks.add(body, actor);
      return isRefusal(added) ? added : { status: 201, body: { ...added.webhook, secret: added.secret } };
    },
  }),
  route({
    method: 'DELETE',
    path: '/api/webhooks/:id',
    role: 'owner',
    isAudited: true,
    summary: 'Remove a webhook and its secret',
    params,
    answer: { status: 200 },
    refusals: [404],
    handle: async ({ webhooks }, { params: { id }, actor }) => (await webhooks.remove(id, actor)) ?? { status: 200, body: { id } },
  }),
  route({
    method: 'POST',
    path: '/api/webhooks/:id/resume',
    role: 'owner',
    summary: 'Try again now, also after a webhook was parked',
    params,
    answer: { status: 200 },
    refusals: [404],
    handle: ({ webhooks }, { params: { id } }) => webhooks.resume(id) ?? { status: 200, body: { id } },
  }),
];
