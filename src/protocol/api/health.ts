import * as z from 'zod/mini';

/** How near a session is, or came, to the edge of what its model can hold. */
export const Pressure = z.enum(['none', 'moderate', 'high', 'critical']);
export type Pressure = z.infer<typeof Pressure>;

/** Why a session stands still or ended, when it did not end well. */
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
   * loop: the same call failed with the same input again and again; stuck-tool: a call is open and nothing has been heard for long;
   * silent: a turn runs and nothing has been heard for long; api-errors: the model's service failed again and again;
   * compaction-failed: the agent could not shorten its memory.
   */
  kind: z.enum(['loop', 'stuck-tool', 'silent', 'api-errors', 'compaction-failed']),
  /** The event with which it began, and when. */
  seq: z.int(),
  at: z.string(),
  /** False for what is over. */
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
  /** The event that tells the cause. */
  causeSeq: z.optional(z.int()),
  /** Tokens in the model's context as last heard; unset when that is not known, as right after a compaction that does not say. */
  now: z.optional(z.int()),
  peakTokens: z.int(),
  windowTokens: z.optional(z.int()),
  /** The largest share of the model's window that was ever full, 0 to 1 and beyond. */
  windowShare: z.optional(z.number()),
  compactionCount: z.int(),
  /** The latest hundred. */
  compactions: z.array(Compaction),
  /** The session is over, and nothing was compacted after that. */
  endedAfterCompaction: z.boolean(),
  findings: z.array(Finding),
  /** What to send for the agent to shorten its memory by itself, where it has a command for that. */
  compactCommand: z.optional(z.string()),
  /** At most sixty points; in a long session each is the highest of its stretch. */
  timeline: z.array(ContextPoint),
  /** Everything up to this event is in it. */
  seq: z.int(),
});
export type SessionHealth = z.infer<typeof SessionHealth>;
