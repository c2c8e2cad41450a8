import * as z from 'zod/mini';

/**
 * What a tool call is about, in terms that all agents share: it decides which card shows it and which rules can match it.
 * Adapters make it from their own tools; `other` is everything else.
 */
export const Subject = z.discriminatedUnion('kind', [
  /** A shell command, exactly as it would run; `field` is the argument that holds it. */
  z.object({
    kind: z.literal('command'),
    command: z.string(),
    field: z.optional(z.string()),
    cwd: z.optional(z.string()),
    background: z.optional(z.boolean()),
  }),
  /** Files that would be read. */
  z.object({ kind: z.literal('read'), paths: z.array(z.string()) }),
  /** Files that would be changed. */
  z.object({ kind: z.literal('edit'), paths: z.array(z.string()) }),
  z.object({ kind: z.literal('web'), url: z.optional(z.string()), query: z.optional(z.string()) }),
  z.object({ kind: z.literal('mcp'), server: z.string(), tool: z.string() }),
  z.object({ kind: z.literal('other') }),
]);
export type Subject = z.infer<typeof Subject>;
