import * as z from 'zod/mini';
import { RunId } from '../ids.ts';

/** One life of the agent's process, as the events and the run's own files tell it. */
export const Run = z.object({
  run: RunId,
  /** Whether the agent started a conversation or continued one, and what the process was started for. */
  mode: z.enum(['new', 'resume', 'fork']),
  reason: z.string(),
  openedAt: z.string(),
  openedSeq: z.int(),
  /** Absent while it runs. */
  endedAt: z.optional(z.string()),
  durationMs: z.optional(z.int()),
  exit: z.optional(z.object({ seq: z.int(), code: z.optional(z.nullable(z.int())), signal: z.optional(z.nullable(z.string())), reason: z.string() })),
  pid: z.optional(z.int()),
  /** The command and its arguments; values that look like secrets are replaced. */
  argv: z.optional(z.array(z.string())),
  cwd: z.optional(z.string()),
  /** The end of what it printed as errors. */
  stderr: z.optional(z.string()),
  version: z.optional(z.string()),
  model: z.optional(z.string()),
  tools: z.optional(z.array(z.string())),
  mcpServers: z.optional(z.array(z.object({ name: z.string(), status: z.string() }))),
  turns: z.int(),
  failedTurns: z.int(),
  /** Calls that were not allowed. */
  denied: z.array(z.object({ seq: z.int(), tool: z.string() })),
});
export type Run = z.infer<typeof Run>;
export const RunList = z.object({ runs: z.array(Run) });
