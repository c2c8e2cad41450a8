import {
  NewWebhook,
  type SharedLink,
  SharedLink as SharedLinkSchema,
  ShareList,
  WebhookList,
  type WebhookShown,
} from '../../../src/protocol/api/outside/outside.ts';
import { caller } from './api.ts';

/** Webhooks, and links to single sessions. All throw the server's message if it refuses. */
export interface OutsideApi {
  webhooks(): Promise<readonly WebhookShown[]>;
  /** With the secret, which is shown only once. */
  addWebhook(url: string, events: readonly string[]): Promise<NewWebhook>;
  removeWebhook(id: string): Promise<void>;
  resumeWebhook(id: string): Promise<void>;
  shares(): Promise<readonly SharedLink[]>;
  share(sessionId: string, expiresAt: string): Promise<SharedLink>;
  revokeShare(id: string): Promise<void>;
}

export function createOutsideApi(base: string): OutsideApi {
  const call = caller(base);
  return {
    webhooks: async () => WebhookList.parse(await call('GET', 'api/webhooks')).webhooks,
    addWebhook: async (url, events) => NewWebhook.parse(await call('POST', 'api/webhooks', { url, events })),
    removeWebhook: async (id) => void (await call('DELETE', `api/webhooks/${encodeURIComponent(id)}`)),
    resumeWebhook: async (id) => void (await call('POST', `api/webhooks/${encodeURIComponent(id)}/resume`)),
    shares: async () => ShareList.parse(await call('GET', 'api/shares')).shares,
    share: async (sessionId, expiresAt) => SharedLinkSchema.parse(await call('POST', `api/sessions/${encodeURIComponent(sessionId)}/share`, { expiresAt })),
    revokeShare: async (id) => void (await call('DELETE', `api/shares/${encodeURIComponent(id)}`)),
  };
}
