import * as z from 'zod/mini';
import { RevertTo } from '../command.ts';
import { CheckpointWhen } from '../event.ts';
import { CheckpointId, CommandId, SessionId, TurnId } from '../ids.ts';

const Left = z.object({ path: z.string(), why: z.string() });
const Changed = z.object({ path: z.string(), added: z.int(), deleted: z.int() });

/** The files of a session's folder at one moment. */
export const CheckpointInfo = z.object({
  checkpointId: CheckpointId,
  seq: z.int(),
  at: z.string(),
  when: CheckpointWhen,
  commandId: z.optional(CommandId),
  turnId: z.optional(TurnId),
  late: z.optional(z.boolean()),
  shared: z.optional(z.boolean()),
  changed: z.array(Changed),
  changedMore: z.optional(z.int()),
  left: z.array(Left),
});
export type CheckpointInfo = z.infer<typeof CheckpointInfo>;

/** A turn and what changed in it, including what commands changed. `to` leads to the state before it. */
export const TurnChanges = z.object({
  turnId: TurnId,
  seq: z.int(),
  at: z.string(),
  text: z.optional(z.string()),
  to: z.optional(z.int()),
  files: z.array(Changed),
  filesMore: z.optional(z.int()),
  late: z.optional(z.boolean()),
  shared: z.optional(z.boolean()),
});
export type TurnChanges = z.infer<typeof TurnChanges>;

/** A revert that was done; `undo` leads back. */
export const RevertInfo = z.object({ commandId: CommandId, seq: z.int(), at: z.string(), undo: z.optional(z.int()), files: z.int(), refused: z.int() });

export const CheckpointList = z.object({
  checkpoints: z.array(CheckpointInfo),
  turns: z.array(TurnChanges),
  reverts: z.array(RevertInfo),
  /** Why no checkpoint is made; `off` until a person turns them on again. */
  skipped: z.optional(z.object({ reason: z.string(), off: z.boolean() })),
});
export type CheckpointList = z.infer<typeof CheckpointList>;

const PlannedFile = z.object({
  path: z.string(),
  action: z.enum(['restore', 'delete']),
  selected: z.boolean(),
  refused: z.optional(z.string()),
  canForce: z.optional(z.boolean()),
});

/** What a revert would do. */
export const RevertPreview = z.object({
  dryRun: z.literal(true),
  to: z.int(),
  checkpointId: CheckpointId,
  at: z.string(),
  when: CheckpointWhen,
  late: z.optional(z.boolean()),
  shared: z.optional(z.boolean()),
  sharedWith: z.optional(z.array(SessionId)),
  /** What this session changed since. */
  files: z.array(PlannedFile),
  filesMore: z.optional(z.int()),
  /** What also differs, but was changed by somebody else. */
  others: z.array(PlannedFile),
  othersMore: z.optional(z.int()),
  /** Named paths that are already as they were then. */
  unchanged: z.array(z.string()),
  /** What the checkpoint doesn't hold. */
  left: z.array(Left),
});
export type RevertPreview = z.infer<typeof RevertPreview>;

/** What a revert did. Undo it with `to: undo.seq`. */
export const RevertDone = z.object({
  dryRun: z.literal(false),
  commandId: CommandId,
  undo: z.optional(z.object({ checkpointId: CheckpointId, seq: z.int() })),
  files: z.array(z.object({ path: z.string(), result: z.enum(['restored', 'deleted', 'refused']), why: z.optional(z.string()) })),
  /** The new session, if the conversation was forked as well. */
  fork: z.optional(SessionId),
  /** Why it was not forked. */
  forkProblem: z.optional(z.string()),
});
export type RevertDone = z.infer<typeof RevertDone>;

export const RevertAnswer = z.discriminatedUnion('dryRun', [RevertPreview, RevertDone]);

export const RevertBody = z.strictObject({
  ...RevertTo.shape,
  /** Also fork the conversation at `to`, if the agent can. */
  conversation: z.optional(z.literal('fork')),
  dryRun: z.optional(z.boolean()),
  commandId: z.optional(CommandId),
});

export const TurnDiffQuery = z.object({ turn: z.optional(TurnId), path: z.optional(z.string().check(z.minLength(1), z.maxLength(4096))) });
export const TurnDiff = z.object({ patch: z.optional(z.string()), note: z.optional(z.string()) });
export type TurnDiff = z.infer<typeof TurnDiff>;
