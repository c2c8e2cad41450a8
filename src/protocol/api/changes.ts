import * as z from 'zod/mini';
import { FileChange } from '../event.ts';

const counts = { additions: z.int(), deletions: z.int() };

/** The call by which a file was changed; `seq` is where it stands in the transcript. */
const ChangingCall = z.object({
  seq: z.int(),
  at: z.string(),
  toolUseId: z.string(),
  tool: z.optional(z.string()),
  turnId: z.optional(z.string()),
  turnSeq: z.optional(z.int()),
});

/** What the tools of a session did to one file. */
export const ChangedFile = z.object({
  path: z.string(),
  kind: FileChange.shape.kind,
  ...counts,
  edits: z.array(ChangingCall),
  /** Unified-diff hunks, those of all parts one after the other. Absent when they do not fit in one answer: ask for the path alone. */
  patch: z.optional(z.string()),
  /** Edits that follow each other without a gap are one part; a later part was made to a file that something else had changed meanwhile. */
  parts: z.array(z.object({ kind: FileChange.shape.kind, ...counts, edits: z.int(), hunks: z.int() })),
  /** Some patch was too long to be read: not all of it is here. */
  cut: z.optional(z.boolean()),
});
export type ChangedFile = z.infer<typeof ChangedFile>;

export const ChangesQuery = z.object({ path: z.optional(z.string()) });

/** Everything up to the event `seq` is in it. */
export const SessionChanges = z.object({ changes: z.array(ChangedFile), ...counts, edits: z.int(), seq: z.int() });
export type SessionChanges = z.infer<typeof SessionChanges>;

/** A file of the working tree that differs from the commit. */
export const TreeFile = z.object({
  /** From the session's folder on. */
  path: z.string(),
  /** Of one that was renamed. */
  oldPath: z.optional(z.string()),
  state: z.enum(['added', 'modified', 'deleted', 'renamed', 'untracked', 'conflict']),
  /** In the index, and beside it. */
  staged: z.boolean(),
  unstaged: z.boolean(),
});
export type TreeFile = z.infer<typeof TreeFile>;

export const TreeBase = z.enum(['head', 'start']);
export type TreeBase = z.infer<typeof TreeBase>;
export const TreeQuery = z.object({ base: z.optional(TreeBase), path: z.optional(z.string()) });

export const WorkingTree = z.union([
  z.object({ repository: z.literal(false), reason: z.string() }),
  z.object({
    repository: z.literal(true),
    branch: z.optional(z.string()),
    /** The commit that it is compared with; absent when there is none yet. */
    commit: z.optional(z.string()),
    base: TreeBase,
    /** Whether the commit at which the session began is known. */
    startKnown: z.boolean(),
    files: z.array(TreeFile),
    /** There are more than one answer has. */
    more: z.boolean(),
    /** With a path: its difference, as hunks. */
    patch: z.optional(z.string()),
    /** Of the difference only the head is here, or none: why, in words. */
    note: z.optional(z.string()),
  }),
]);
export type WorkingTree = z.infer<typeof WorkingTree>;
