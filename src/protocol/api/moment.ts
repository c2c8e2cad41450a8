import * as z from 'zod/mini';
import { CheckpointId, CommandId, RequestId } from '../ids.ts';
import { Status } from '../session.ts';

/** A session as it was right after one of its events. */
export const SessionAt = z.object({
  seq: z.int(),
  at: z.string(),
  status: Status,
  statusCause: z.object({ seq: z.int(), cause: z.string() }),
  model: z.optional(z.string()),
  permissionMode: z.optional(z.string()),
  context: z.optional(z.object({ tokens: z.int(), window: z.int() })),
  costUsd: z.optional(z.number()),
  /** Requests that nobody had answered. */
  requests: z.array(
    z.object({ requestId: RequestId, seq: z.int(), tool: z.string(), kind: z.enum(['tool', 'question', 'plan']), title: z.optional(z.string()) }),
  ),
  /** Messages that the agent had not taken. */
  queue: z.array(z.object({ commandId: CommandId, text: z.string(), state: z.string() })),
  queuePaused: z.optional(z.boolean()),
  /** What its tools had changed so far. */
  changes: z.object({ files: z.int(), edits: z.int(), additions: z.int(), deletions: z.int() }),
  /** The last checkpoint up to here: files can be restored to it. */
  checkpoint: z.optional(z.object({ checkpointId: CheckpointId, seq: z.int(), at: z.string() })),
});
export type SessionAt = z.infer<typeof SessionAt>;
