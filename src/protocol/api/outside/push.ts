import * as z from 'zod/mini';
import { SessionId } from '../../ids.ts';

/** What a browser gives us so that its push service accepts our messages: an address, and two keys so that only that browser can read them. */
export const PushTarget = z.object({
  endpoint: z.url().check(z.maxLength(2000)),
  keys: z.object({
    p256dh: z.string().check(z.regex(/^[A-Za-z0-9_-]{80,100}$/, 'is a public key of 65 bytes in base64url')),
    auth: z.string().check(z.regex(/^[A-Za-z0-9_-]{20,30}$/, 'is a secret of 16 bytes in base64url')),
  }),
});
export type PushTarget = z.infer<typeof PushTarget>;

export const SubscribeBody = z.object({
  ...PushTarget.shape,
  /** What a person calls this device. */ device: z.string().check(z.minLength(1), z.maxLength(100)),
});
export type SubscribeBody = z.infer<typeof SubscribeBody>;

const Clock = z.string().check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'is a time such as 22:30'));

/** Between these times nothing is pushed; across midnight if `from` is later than `to`. */
export const QuietHours = z.object({ from: Clock, to: Clock, timeZone: z.string().check(z.minLength(1), z.maxLength(64)) });
export type QuietHours = z.infer<typeof QuietHours>;

/** What a person wants notifications about when no page of theirs is visible. */
export const PushSettings = z.object({
  waiting: z.boolean(),
  finished: z.boolean(),
  failed: z.boolean(),
  /** About which sessions: those the person started, or all they can see. */
  of: z.enum(['mine', 'all']),
  quiet: z.optional(QuietHours),
  muted: z.array(SessionId).check(z.maxLength(1000)),
});
export type PushSettings = z.infer<typeof PushSettings>;

export const PushSettingsPatch = z.object({
  waiting: z.optional(z.boolean()),
  finished: z.optional(z.boolean()),
  failed: z.optional(z.boolean()),
  of: z.optional(z.enum(['mine', 'all'])),
  /** null for no quiet hours. */
  quiet: z.optional(z.nullable(QuietHours)),
  mute: z.optional(SessionId),
  unmute: z.optional(SessionId),
});
export type PushSettingsPatch = z.infer<typeof PushSettingsPatch>;

export const PushDevice = z.object({
  /** SHA-256 of its address at its push service, in hex. */
  id: z.string(),
  device: z.string(),
  since: z.string(),
  /** The last error of its push service. */
  problem: z.optional(z.string()),
});
export type PushDevice = z.infer<typeof PushDevice>;

export const PushState = z.object({
  /** The key that a browser needs to subscribe. */
  publicKey: z.string(),
  devices: z.array(PushDevice),
  settings: PushSettings,
});
export type PushState = z.infer<typeof PushState>;

/** What is sent to the browser's service worker, encrypted. */
export const PushMessage = z.object({
  title: z.string(),
  body: z.string(),
  /** The page to open, relative to where we are served. */
  path: z.string(),
  /** A later message with the same tag replaces this one. */
  tag: z.string(),
  /** A request that can be answered with yes or no, by anyone with the right to. */
  requestId: z.optional(z.string()),
});
export type PushMessage = z.infer<typeof PushMessage>;
