import * as z from 'zod/mini';

/** What one agent's processes run with, as set in the config file. */
export const AgentRuntime = z.object({
  /** Runs the agent's program: a name on PATH, or a path. */
  interpreter: z.optional(z.string().check(z.minLength(1))),
  /** Folders put first on PATH. */
  prependPath: z.optional(z.array(z.string().check(z.startsWith('/', 'must be an absolute path')))),
  /** Variables in addition to the server's; they may hold keys, so only their names are ever shown. */
  env: z.optional(z.record(z.string().check(z.regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'is not a valid variable name')), z.string())),
});
export type AgentRuntime = z.infer<typeof AgentRuntime>;

/** By agent id. */
export type AgentRuntimes = Readonly<Record<string, AgentRuntime | undefined>>;
