import * as z from 'zod/mini';
import { AgentId, SessionId } from '../ids.ts';
import { LIMITS } from '../limits.ts';

/** The kind of text that contains a hit. */
export const HitKind = z.enum(['prompt', 'answer', 'thinking', 'tool', 'output', 'diff', 'note', 'title']);
export type HitKind = z.infer<typeof HitKind>;

/** The text of `q` can contain operators too (`agent: project: tool: path: is:error before: after: kind:`); a parameter of the same name is added to them. */
export const SearchQuery = z.object({
  q: z.optional(z.string().check(z.maxLength(LIMITS.searchChars))),
  agent: z.optional(z.string()),
  project: z.optional(z.string()),
  kind: z.optional(z.string()),
  tool: z.optional(z.string()),
  path: z.optional(z.string()),
  before: z.optional(z.string()),
  after: z.optional(z.string()),
  session: z.optional(SessionId),
  limit: z.optional(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(LIMITS.searchHits))),
  cursor: z.optional(z.string()),
});
export type SearchQuery = z.infer<typeof SearchQuery>;

export const Hit = z.object({
  sessionId: SessionId,
  /** The event: `/s/<session>#e<seq>`. */
  seq: z.int(),
  kind: HitKind,
  snippet: z.string(),
  /** Where the words are in the snippet, as pairs of start and end positions. */
  marks: z.array(z.tuple([z.int(), z.int()])),
  agent: AgentId,
  project: z.string(),
  projectId: z.string(),
  at: z.string(),
  sessionTitle: z.string(),
  tool: z.optional(z.string()),
  path: z.optional(z.string()),
  isError: z.optional(z.boolean()),
});
export type Hit = z.infer<typeof Hit>;

export const HitList = z.object({
  hits: z.array(Hit),
  nextCursor: z.optional(z.string()),
  /** How many there are; with `more`, at least this many. */
  total: z.int(),
  more: z.boolean(),
  /** False while something is still being read: some hits might not be found yet. */
  whole: z.boolean(),
  /** Machines of the cluster that did not answer in time, by name. */
  missing: z.optional(z.array(z.string())),
});
export type HitList = z.infer<typeof HitList>;
