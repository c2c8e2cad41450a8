import * as z from 'zod/mini';

/** What a person can do with a session's changes. */
export const GitAct = z.enum(['trust', 'stage', 'unstage', 'discard', 'message', 'commit', 'push', 'pr']);
export type GitAct = z.infer<typeof GitAct>;

/** Acts that can take long: they run on their own and survive the server. */
export const LongAct = z.enum(['commit', 'push']);
export type LongAct = z.infer<typeof LongAct>;

export const PrState = z.enum(['open', 'draft', 'merged', 'closed']);
export type PrState = z.infer<typeof PrState>;

export const PrCheck = z.object({ name: z.string(), state: z.enum(['pending', 'passed', 'failed', 'skipped']), url: z.optional(z.string()) });
export type PrCheck = z.infer<typeof PrCheck>;

/** A comment on a pull request; with a path and a line if it is about a line of code. */
export const PrComment = z.object({
  id: z.string(),
  author: z.string(),
  text: z.string(),
  path: z.optional(z.string()),
  line: z.optional(z.int()),
  url: z.optional(z.string()),
});
export type PrComment = z.infer<typeof PrComment>;

/** Something about a pull request that a person should look at: a failed check or a new comment. */
export const PrCard = z.object({
  id: z.string(),
  kind: z.enum(['check', 'comment']),
  title: z.string(),
  text: z.string(),
  at: z.string(),
  url: z.optional(z.string()),
  path: z.optional(z.string()),
  line: z.optional(z.int()),
});
export type PrCard = z.infer<typeof PrCard>;

/** A session's pull request, as lists and the inbox show it. */
export const SessionPr = z.object({
  host: z.string(),
  url: z.string(),
  number: z.int(),
  state: PrState,
  checks: z.array(PrCheck),
  cards: z.array(PrCard),
});
export type SessionPr = z.infer<typeof SessionPr>;

/** A setting or a file that can run programs or name remotes. Its content is only hashed here: it can contain secrets. */
export const NotedEntry = z.object({ name: z.string(), sha256: z.string() });
export type NotedEntry = z.infer<typeof NotedEntry>;

/** What came of an act. */
export const GitOutcome = z.object({
  act: GitAct,
  ok: z.boolean(),
  paths: z.optional(z.array(z.string())),
  hunks: z.optional(z.int()),
  commit: z.optional(z.string()),
  remote: z.optional(z.string()),
  branch: z.optional(z.string()),
  url: z.optional(z.string()),
  checkpointId: z.optional(z.string()),
  scriptId: z.optional(z.string()),
  message: z.optional(z.string()),
});
