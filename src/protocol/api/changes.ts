import * as z from 'zod/mini';
import { FileChange } from '../event.ts';

const counts = { additions: z.int(), deletions: z.int() };

/** The call that changed a file; `seq` is its place in the transcript. */
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
  /** Unified-diff hunks, those of all parts one after the other. Absent if they do not fit in one answer: request the path alone. */
  patch: z.optional(z.string()),
  /** Edits that follow each other without a gap are one part; before a later part, something else had changed the file. */
  parts: z.array(z.object({ kind: FileChange.shape.kind, ...counts, edits: z.int(), hunks: z.int() })),
  /** A patch was too long to be read: part of it is missing. */
  cut: z.optional(z.boolean()),
});
export type ChangedFile = z.infer<typeof ChangedFile>;

export const ChangesQuery = z.object({ path: z.optional(z.string()) });

/** Includes everything up to the event `seq`. */
export const SessionChanges = z.object({ changes: z.array(ChangedFile), ...counts, edits: z.int(), seq: z.int() });
export type SessionChanges = z.infer<typeof SessionChanges>;

/** A file of the working tree that differs from the commit. */
export const TreeFile = z.object({
  /** Relative to the session's folder. */
  path: z.string(),
  /** The previous path of a renamed file. */
  oldPath: z.optional(z.string()),
  state: z.enum(['added', 'modified', 'deleted', 'renamed', 'untracked', 'conflict']),
  /** In the index, and in the working tree. */
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
    /** The commit that it is compared with; absent if there is none yet. */
    commit: z.optional(z.string()),
    base: TreeBase,
    /** Whether the commit at which the session started is known. */
    startKnown: z.boolean(),
    files: z.array(TreeFile),
    /** There are more than fit in one answer. */
    more: z.boolean(),
    /** With a path: its diff, as hunks. */
    patch: z.optional(z.string()),
    /** Why only the head of the diff, or nothing, is here. */
    note: z.optional(z.string()),
  }),
]);
export type WorkingTree = z.infer<typeof WorkingTree>;
