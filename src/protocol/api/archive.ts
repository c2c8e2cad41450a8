import * as z from 'zod/mini';
import { AgentId, SessionId } from '../ids.ts';

/** One branch of a conversation that was continued from more than one message. */
export const Branch = z.object({
  branch: z.int(),
  /** Its last event, and its time. */
  lastSeq: z.int(),
  at: z.string(),
  /** The branch it splits from, and after which event; absent for the first. */
  from: z.optional(z.object({ branch: z.int(), seq: z.int() })),
  /** How many events are its own. */
  events: z.int(),
  /** The start of its own first message. */
  title: z.string(),
  /** The branch that the agent would continue. */
  active: z.boolean(),
});
export type Branch = z.infer<typeof Branch>;
export const BranchList = z.object({ branches: z.array(Branch) });

export const Unreadable = z.object({ path: z.string(), agent: AgentId, reason: z.string() });
export type Unreadable = z.infer<typeof Unreadable>;

/** How much of all records has been read. */
export const IndexProgress = z.object({
  /** looking: finding records; reading: reading them; ready: everything found is in the list and searchable. */
  phase: z.enum(['looking', 'reading', 'ready']),
  sessions: z.object({ done: z.int(), total: z.int() }),
  bytes: z.object({ done: z.int(), total: z.int() }),
  secondsLeft: z.optional(z.number()),
  unreadable: z.array(Unreadable),
});
export type IndexProgress = z.infer<typeof IndexProgress>;

/** Copies of records, kept before their CLI deletes them. */
export const KeptState = z.object({
  on: z.boolean(),
  files: z.int(),
  /** What the copies take on disk, and what they are copies of. */
  bytes: z.int(),
  rawBytes: z.int(),
  /** Records whose own file is gone. */
  gone: z.int(),
  problem: z.optional(z.string()),
});
export type KeptState = z.infer<typeof KeptState>;
export const KeptBody = z.object({ on: z.boolean() });
export const RestoreAnswer = z.object({ sessionId: SessionId, paths: z.array(z.string()), bytes: z.int() });
export type RestoreAnswer = z.infer<typeof RestoreAnswer>;
