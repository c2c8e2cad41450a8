import * as z from 'zod/mini';
import { Actor } from '../../actor.ts';
import { SessionId } from '../../ids.ts';

const Id = z.string().check(z.regex(/^[\w-]{8,40}$/, 'not an id of this kind'));

export const WebhookId = Id;
export const ShareId = Id;

/** A type of event, such as `permission.requested`, all of a kind (`permission.*`), or `*` for everything. */
export const EventPattern = z
  .string()
  .check(z.regex(/^(?:\*|[a-z]+\.(?:\*|[a-z]+))$/, 'an event is a type such as "permission.requested", "permission.*", or "*"'));

/** A program that is told what happens. */
export const Webhook = z.object({ id: WebhookId, url: z.string(), events: z.array(EventPattern), createdAt: z.string(), createdBy: Actor });
export type Webhook = z.infer<typeof Webhook>;

export const NewWebhookBody = z.object({
  url: z.string().check(z.maxLength(2000)),
  events: z.array(EventPattern).check(z.minLength(1), z.maxLength(100)),
  /** As the receiver knows it; without one, Signalbox makes one. */
  secret: z.optional(z.string().check(z.regex(/^whsec_[A-Za-z0-9+/]{32,88}={0,2}$/, 'a secret is "whsec_" and 24 to 64 bytes in base64'))),
});

/** `parked`: it failed for three days, and nothing is sent until somebody resumes it. */
export const WebhookState = z.object({
  state: z.enum(['working', 'failing', 'parked']),
  problem: z.optional(z.string()),
  lastDeliveredAt: z.optional(z.string()),
});
export type WebhookState = z.infer<typeof WebhookState>;

export const WebhookShown = z.object({ ...Webhook.shape, ...WebhookState.shape });
export type WebhookShown = z.infer<typeof WebhookShown>;
export const WebhookList = z.object({ webhooks: z.array(WebhookShown) });
/** The only time that the secret is shown. */
export const NewWebhook = z.object({ ...Webhook.shape, secret: z.string() });
export type NewWebhook = z.infer<typeof NewWebhook>;

/** A link to one session, for people without a token. */
export const Share = z.object({ id: ShareId, sessionId: SessionId, expiresAt: z.string(), createdAt: z.string(), createdBy: Actor });
export type Share = z.infer<typeof Share>;

export const ShareBody = z.object({ expiresAt: z.iso.datetime() });
/** `url` is the address that shows the session. */
export const SharedLink = z.object({ ...Share.shape, url: z.string() });
export type SharedLink = z.infer<typeof SharedLink>;
export const ShareList = z.object({ shares: z.array(SharedLink) });
