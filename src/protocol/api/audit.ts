import * as z from 'zod/mini';
import { Actor } from '../actor.ts';

/** One thing that somebody decided. Kept forever, even when the session it was about is deleted. */
export const AuditEntry = z.object({
  /** Increases over time, across all sessions. */
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
  /** The machine it was decided on, if it was another one of the cluster. */
  machine: z.optional(z.string()),
});
export type AuditEntry = z.infer<typeof AuditEntry>;
/** One without a number yet. */
export type AuditLine = Omit<AuditEntry, 'id'>;

/** A database treats a zero byte as the end of a text and would search for less than requested. */
const text = z.string().check(z.refine((given) => !given.includes('\0'), 'it contains a zero byte'));
const time = text.check(
  z.refine((given) => /^\d{4}-\d\d-\d\d/.test(given) && !Number.isNaN(Date.parse(given)), 'not a date or time such as 2026-03-01 or 2026-03-01T08:00:00Z'),
);

export const AuditQuery = z.object({
  session: z.optional(text),
  actor: z.optional(text),
  action: z.optional(text),
  request: z.optional(text),
  after: z.optional(time),
  before: z.optional(time),
  q: z.optional(text),
  cursor: z.optional(z.coerce.number().check(z.int(), z.minimum(1))),
  limit: z.optional(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(1000))),
});
export type AuditQuery = z.infer<typeof AuditQuery>;

/** A query to the audit, limited to what its sender can see. */
export interface AuditFilter extends Omit<AuditQuery, 'limit'> {
  readonly limit: number;
  /** Absent: everything. Otherwise what this actor decided, and what was decided in these sessions. */
  readonly seenBy?: { readonly actorId: string; readonly sessions: readonly string[] } | undefined;
}

/** Newest first. */
export const AuditList = z.object({
  entries: z.array(AuditEntry),
  nextCursor: z.optional(z.int()),
  /** True while lines of earlier events are still being computed after an upgrade or a rebuild: some can be missing. */
  incomplete: z.optional(z.boolean()),
  /** Machines of the cluster that did not answer in time, by name. */
  missing: z.optional(z.array(z.string())),
});
export type AuditList = z.infer<typeof AuditList>;
