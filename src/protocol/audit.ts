import * as z from 'zod/mini';
import { Actor } from './actor.ts';

/** One thing that somebody decided. Kept for ever, also when the session it was about is deleted. */
export const AuditEntry = z.object({
  /** Grows with time, over everything. */
  id: z.int(),
  at: z.string(),
  actor: Actor,
  /** The type of the event that it caused. */
  action: z.string(),
  sessionId: z.optional(z.string()),
  seq: z.optional(z.int()),
  requestId: z.optional(z.string()),
  commandId: z.optional(z.string()),
  /** What was decided, and about what, in one line. */
  words: z.string(),
});
export type AuditEntry = z.infer<typeof AuditEntry>;

export const AuditQuery = z.object({
  session: z.optional(z.string()),
  actor: z.optional(z.string()),
  action: z.optional(z.string()),
  request: z.optional(z.string()),
  after: z.optional(z.string()),
  before: z.optional(z.string()),
  q: z.optional(z.string()),
  cursor: z.optional(z.coerce.number().check(z.int(), z.minimum(1))),
  limit: z.optional(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(1000))),
});
export type AuditQuery = z.infer<typeof AuditQuery>;
