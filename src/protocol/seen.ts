import * as z from 'zod/mini';
import { SessionId } from './ids.ts';

/** What one person has seen. Sessions without a mark count as seen up to `since`, the time of their first use. */
export const SeenMarks = z.object({
  since: z.string(),
  /** By session: the last event seen; 0 if it was marked as unread. */
  marks: z.record(z.string(), z.int().check(z.minimum(0))),
});
export type SeenMarks = z.infer<typeof SeenMarks>;

export const SeenBody = z.object({ seq: z.int().check(z.minimum(0)) });
/** `seq`: up to where the caller has seen the session. */
export const SeenAnswer = z.object({ sessionId: SessionId, seq: z.int(), unread: z.boolean() });
export type SeenAnswer = z.infer<typeof SeenAnswer>;

const time = z.string().check(z.refine((text) => !Number.isNaN(Date.parse(text)), 'not a time'));

/** `until`: when the person came back; without it, now. */
export const RecapQuery = z.object({ since: time, until: z.optional(time) });

/** What happened in a time, from the events of all sessions that the caller can see. */
export const Recap = z.object({
  since: z.string(),
  /** Sessions whose last turn since then ended well, and those whose last turn failed. */
  finished: z.array(SessionId),
  failed: z.array(SessionId),
  /** Sessions that started to need somebody since then and still do. */
  needsYou: z.array(SessionId),
  /** How many files agents' edits changed. */
  files: z.int(),
  /** Absent if no turn since then reported a cost. */
  costUsd: z.optional(z.number()),
  /** Turns that ended since then without a reported cost. */
  unpriced: z.int(),
  /** There were more events than are read: the figures are at least these. */
  isCut: z.optional(z.boolean()),
});
export type Recap = z.infer<typeof Recap>;
