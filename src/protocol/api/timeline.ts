import * as z from 'zod/mini';

/** Milliseconds since `from`. What is not over has no `endMs`. */
const span = { seq: z.int(), atMs: z.int(), endMs: z.optional(z.int()) };

export const TimelineTurn = z.object({
  ...span,
  lastSeq: z.int(),
  /** In a long session, neighbors are merged into one: how many they are. */
  count: z.int(),
  outcome: z.enum(['open', 'done', 'failed', 'crashed', 'interrupted']),
  /** Time at work, without waiting for a person. */
  workMs: z.optional(z.int()),
  tools: z.int(),
  title: z.optional(z.string()),
  outputTokens: z.optional(z.int()),
  costUsd: z.optional(z.number()),
});
export type TimelineTurn = z.infer<typeof TimelineTurn>;

/** `waitedMs`: how much of it was waiting for a person. */
export const TimelineTool = z.object({
  ...span,
  count: z.int(),
  name: z.string(),
  gist: z.optional(z.string()),
  failed: z.boolean(),
  denied: z.optional(z.boolean()),
  waitedMs: z.optional(z.int()),
});
export type TimelineTool = z.infer<typeof TimelineTool>;

/** Something that waited for a person. */
export const TimelineWait = z.object({
  ...span,
  count: z.int(),
  tool: z.string(),
  kind: z.enum(['tool', 'question', 'plan']),
  outcome: z.optional(z.enum(['allowed', 'denied', 'cancelled', 'lapsed'])),
  by: z.optional(z.string()),
});
export type TimelineWait = z.infer<typeof TimelineWait>;

export const TimelinePoint = z.object({ seq: z.int(), atMs: z.int(), tokens: z.int() });
export type TimelinePoint = z.infer<typeof TimelinePoint>;

export const TimelineCompaction = z.object({
  seq: z.int(),
  atMs: z.int(),
  trigger: z.string(),
  preTokens: z.optional(z.int()),
  postTokens: z.optional(z.int()),
});
export type TimelineCompaction = z.infer<typeof TimelineCompaction>;

/** A session over time, with a bounded size however long the session is. */
export const SessionTimeline = z.object({
  /** The times of the first and the last event. */
  from: z.string(),
  to: z.string(),
  turns: z.array(TimelineTurn),
  tools: z.array(TimelineTool),
  waits: z.array(TimelineWait),
  context: z.array(TimelinePoint),
  compactions: z.array(TimelineCompaction),
  windowTokens: z.optional(z.int()),
  /** Includes everything up to this event. */
  seq: z.int(),
});
export type SessionTimeline = z.infer<typeof SessionTimeline>;
