import * as z from 'zod/mini';
import { Actor } from './actor.ts';
import { AgentId, RequestId, SessionId } from './ids.ts';

export const RuleId = z
  .string()
  .check(z.regex(/^[A-Za-z0-9_-]{1,64}$/))
  .brand<'RuleId'>();
export type RuleId = z.infer<typeof RuleId>;

/** Where a rule applies. A project is a real folder and everything in it. */
export const RuleScope = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('session'), sessionId: SessionId }),
  z.object({ kind: z.literal('project'), folder: z.string().check(z.minLength(1), z.maxLength(4096)) }),
  z.object({ kind: z.literal('everywhere') }),
]);
export type RuleScope = z.infer<typeof RuleScope>;

const pattern = z.string().check(z.minLength(1), z.maxLength(1000));

/**
 * Which calls a rule covers. `tool` is the agent's own tool name, with `*` at the end for a family.
 * `command`: literal words, `*` for any one word, and at the end for any number.
 * `path`: a path or glob (`*`, `**`), relative to the session's folder unless it starts with "/".
 * `host`: a host name, with a leading `*.` for its subdomains too. At most one of these three.
 */
export const RulePattern = z.object({
  tool: pattern,
  command: z.optional(pattern),
  path: z.optional(pattern),
  host: z.optional(pattern),
});
export type RulePattern = z.infer<typeof RulePattern>;

export const RuleBody = z.object({
  behavior: z.enum(['allow', 'deny']),
  ...RulePattern.shape,
  scope: RuleScope,
  agent: z.optional(AgentId),
  /** Why; a deny sends it to the agent. */
  note: z.optional(z.string().check(z.maxLength(2000))),
});
export type RuleBody = z.infer<typeof RuleBody>;

/** A rule as stored in the journal. */
export const Rule = z.object({
  ...RuleBody.shape,
  id: RuleId,
  createdAt: z.string(),
  createdBy: Actor,
  /** The request from which it was made ("allow and remember"). */
  fromRequest: z.optional(RequestId),
  /** The broader rule that it replaces. */
  replaces: z.optional(RuleId),
});
export type Rule = z.infer<typeof Rule>;

export const RuleInUse = z.object({ ...Rule.shape, uses: z.int(), lastUsedAt: z.optional(z.string()) });
export type RuleInUse = z.infer<typeof RuleInUse>;

/** What a person asks to be remembered with an answer: some of the agent's own suggestions, or a rule of ours. */
export const Remember = z.object({
  scope: z.enum(['session', 'project', 'everywhere']),
  /** Numbers of the request's `suggestions`, from 0. They are sent back to the agent, which stores them itself. */
  suggestions: z.optional(z.array(z.int().check(z.minimum(0))).check(z.maxLength(20))),
  /** A rule of ours; without it, and without suggestions, the narrowest possible one is made from the request. */
  rule: z.optional(RulePattern),
});
export type Remember = z.infer<typeof Remember>;

/** A rule that could be made from a call, its description, and what it gives away if it is broader than the call. */
export const Proposal = z.object({ pattern: RulePattern, words: z.string(), gives: z.optional(z.string()) });

/** What a rule would have decided about past tool calls. */
export const RuleTest = z.object({
  calls: z.int(),
  matched: z.int(),
  /** How many of the calls needed an answer. */
  asked: z.int(),
  matchedAsked: z.int(),
  /** A few that it matches, the dangerous-looking first. */
  examples: z.array(
    z.object({
      sessionId: SessionId,
      seq: z.int(),
      at: z.string(),
      tool: z.string(),
      words: z.string(),
      isRisky: z.boolean(),
      outcome: z.optional(z.string()),
    }),
  ),
  /** How many calls are not fully understood, so that no allow rule can match them. */
  notUnderstood: z.int(),
  /** True if there were more calls than were checked; the newest are checked. */
  cut: z.optional(z.boolean()),
});
export type RuleTest = z.infer<typeof RuleTest>;
