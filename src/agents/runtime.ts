import * as z from 'zod/mini';

/** What the processes of one agent run with, as a person sets it in the config file. */
export const AgentRuntime = z.object({
  /** Runs the agent's program: a name on its PATH, or the path of one. */
  interpreter: z.optional(z.string().check(z.minLength(1))),
  /** Folders that stand before all others on its PATH. */
  prependPath: z.optional(z.array(z.string().check(z.startsWith('/', 'is the whole path of a folder')))),
  /** Variables besides those of the server; they may hold keys, so only their names are ever shown. */
  env: z.optional(z.record(z.string().check(z.regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'is no name of a variable')), z.string())),
});
export type AgentRuntime = z.infer<typeof AgentRuntime>;

/** By agent id. */
export type AgentRuntimes = Readonly<Record<string, AgentRuntime | undefined>>;
