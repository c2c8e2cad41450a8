import * as z from 'zod/mini';
import { Actor } from '../actor.ts';
import { AgentId, RequestId, SessionId, TurnId } from '../ids.ts';

export const BlameQuery = z.object({
  /** Absolute, or relative to the folder of `session`. */
  path: z.string().check(z.minLength(1), z.maxLength(4096)),
  line: z.coerce.number().check(z.int(), z.minimum(1)),
  session: z.optional(SessionId),
});
export type BlameQuery = z.infer<typeof BlameQuery>;

/** `exact`: a call reported that it wrote this line. `turn`: it appeared during this turn, written by a command. */
export const Certainty = z.enum(['exact', 'turn', 'unknown']);
export type Certainty = z.infer<typeof Certainty>;

/** Who wrote a line of a file. */
export const Blame = z.object({
  path: z.string(),
  line: z.int(),
  text: z.string(),
  certainty: Certainty,
  session: z.optional(z.object({ id: SessionId, title: z.string(), agent: AgentId })),
  /** The event that shows it: the call's result, or the start of the turn. */
  seq: z.optional(z.int()),
  at: z.optional(z.string()),
  turn: z.optional(z.object({ turnId: TurnId, seq: z.int() })),
  call: z.optional(z.object({ toolUseId: z.string(), tool: z.optional(z.string()) })),
  /** What the person had asked for. */
  prompt: z.optional(z.object({ seq: z.int(), text: z.string() })),
  /** Who allowed the call; absent if nobody was asked. */
  approval: z.optional(z.object({ requestId: RequestId, seq: z.int(), outcome: z.string(), by: z.optional(Actor), waitedMs: z.optional(z.int()) })),
  /** Git's own answer, where Signalbox doesn't know. */
  commit: z.optional(z.object({ commit: z.string(), author: z.string(), at: z.string(), committedAt: z.string(), summary: z.string() })),
});
export type Blame = z.infer<typeof Blame>;
