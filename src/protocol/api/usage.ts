import * as z from 'zod/mini';

export const UsageBy = z.enum(['day', 'model', 'project', 'agent']);
export type UsageBy = z.infer<typeof UsageBy>;

/** Days are in UTC, both included. */
export const UsageQuery = z.object({
  from: z.optional(z.iso.date()),
  to: z.optional(z.iso.date()),
  by: z.optional(UsageBy),
  agent: z.optional(z.string()),
  project: z.optional(z.string()),
  model: z.optional(z.string()),
});
export type UsageQuery = z.infer<typeof UsageQuery>;

const figures = {
  inputTokens: z.number(),
  outputTokens: z.number(),
  cacheReadTokens: z.number(),
  cacheWriteTokens: z.number(),
  /** The known cost; `unpricedTokens` are not included, because their price is unknown. */
  costUsd: z.number(),
  unpricedTokens: z.number(),
  turns: z.int(),
  /** Time in which agents worked, as far as known. */
  durationMs: z.number(),
  sessions: z.int(),
};

export const UsageRow = z.object({
  /** The day, the model, the project's id or the agent's. */
  key: z.string(),
  title: z.string(),
  ...figures,
  /** For a day: the share of each model. */
  models: z.optional(z.array(z.object({ model: z.string(), costUsd: z.number(), tokens: z.number() }))),
});
export type UsageRow = z.infer<typeof UsageRow>;

export const UsageList = z.object({
  by: UsageBy,
  rows: z.array(UsageRow),
  total: z.object(figures),
  /** Models with an unknown price. */
  unpriced: z.array(z.string()),
  /** False while something is still being read. */
  whole: z.boolean(),
  /** Machines of the cluster that did not answer in time, by name. */
  missing: z.optional(z.array(z.string())),
});
export type UsageList = z.infer<typeof UsageList>;
