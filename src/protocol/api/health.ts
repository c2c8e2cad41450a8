import * as z from 'zod/mini';

/** How close a session is, or was, to its model's context limit. */
export const Pressure = z.enum(['none', 'moderate', 'high', 'critical']);
export type Pressure = z.infer<typeof Pressure>;

/** Why a session is stuck or failed. */
export const Cause = z.enum(['context_exhausted', 'output_token_limit', 'rate_limited', 'auth', 'killed', 'error']);
export type Cause = z.infer<typeof Cause>;

export const Compaction = z.object({
  seq: z.int(),
  at: z.string(),
  trigger: z.string(),
  preTokens: z.optional(z.int()),
  postTokens: z.optional(z.int()),
});
export type Compaction = z.infer<typeof Compaction>;

export const Finding = z.object({
  /**
   * loop: the same call failed with the same input again and again; stuck-tool: a call is open and has printed nothing for a long time;
   * silent: a turn is running and has printed nothing for a long time; api-errors: the model's service failed again and again;
   * compaction-failed: the agent could not compact its context.
   */
  kind: z.enum(['loop', 'stuck-tool', 'silent', 'api-errors', 'compaction-failed']),
  /** The event with which it started, and when. */
  seq: z.int(),
  at: z.string(),
  /** False once it is over. */
  active: z.boolean(),
  count: z.optional(z.int()),
  tool: z.optional(z.string()),
  toolUseId: z.optional(z.string()),
  /** One sentence for people. */
  text: z.string(),
});
export type Finding = z.infer<typeof Finding>;

export const ContextPoint = z.object({ seq: z.int(), at: z.string(), tokens: z.int(), compacted: z.optional(z.boolean()) });
export type ContextPoint = z.infer<typeof ContextPoint>;

export const SessionHealth = z.object({
  pressure: Pressure,
  cause: z.optional(Cause),
  /** The event that shows the cause. */
  causeSeq: z.optional(z.int()),
  /** Tokens in the model's context as last reported; unset if unknown, for example after a compaction that does not report it. */
  now: z.optional(z.int()),
  peakTokens: z.int(),
  windowTokens: z.optional(z.int()),
  /** The largest share of the model's window that was ever full, 0 to 1 and beyond. */
  windowShare: z.optional(z.number()),
  compactionCount: z.int(),
  /** The latest hundred. */
  compactions: z.array(Compaction),
  /** Answers of the main thread since the last compaction; unset without one. */
  answersSinceCompaction: z.optional(z.int()),
  /** The session is over, and nothing was compacted after that. */
  endedAfterCompaction: z.boolean(),
  findings: z.array(Finding),
  /** What to send to make the agent compact its context, if it has a command for that. */
  compactCommand: z.optional(z.string()),
  /** At most sixty points; in a long session each is the highest of its interval. */
  timeline: z.array(ContextPoint),
  /** Includes everything up to this event. */
  seq: z.int(),
});
export type SessionHealth = z.infer<typeof SessionHealth>;
