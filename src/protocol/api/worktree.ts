import * as z from 'zod/mini';
import { AgentId, CommandId, SessionId, WorktreeId } from '../ids.ts';
import { Status } from '../session.ts';

/** A name becomes the branch `signalbox/<name>` and the folder's name. */
/** Git refuses branches with "..", and ones that end with "." or ".lock". */
const WorktreeName = z
  .string()
  .check(
    z.regex(
      /^(?!.*\.\.)(?!.*\.(lock)?$)[a-z0-9][a-z0-9._-]{0,59}$/,
      'a worktree name is 1 to 60 lower-case letters, digits, ".", "_" or "-", without ".." and not ending with "." or ".lock"',
    ),
  );
// biome-ignore lint/suspicious/noControlCharactersInRegex: git allows none of them in a name
export const Ref = z.string().check(z.minLength(1), z.maxLength(250), z.regex(/^[^\x00-\x1f\x7f]*$/, 'a name of a branch or commit has no control characters'));

export const WorktreeWish = z.strictObject({
  name: z.optional(WorktreeName),
  /** A branch, a tag or a commit; without it, what is checked out in the folder. */
  base: z.optional(Ref),
});
export type WorktreeWish = z.infer<typeof WorktreeWish>;

/** Scripts of a project, from `.signalbox.json` or from the owner's settings. */
export const ProjectScripts = z.object({ setup: z.optional(z.string()), run: z.optional(z.string()), archive: z.optional(z.string()) });
export type ProjectScripts = z.infer<typeof ProjectScripts>;

export const SkippedFile = z.object({ path: z.string(), why: z.string() });
export type SkippedFile = z.infer<typeof SkippedFile>;

/** What a removal would lose. */
export const WorktreeLosses = z.object({
  /** Tracked files with changes that are not committed. */
  uncommitted: z.array(z.string()),
  untracked: z.array(z.string()),
  /** Ignored files and folders that are not what was copied in. */
  ignored: z.array(z.string()),
  /** Commits that no other branch and no remote has. */
  commits: z.array(z.object({ commit: z.string(), subject: z.string() })),
  /** Agents that run in it, and its run script. */
  running: z.array(z.object({ sessionId: SessionId, title: z.string() })),
  /** More than is listed here. */
  more: z.optional(z.boolean()),
});
export type WorktreeLosses = z.infer<typeof WorktreeLosses>;

export const Worktree = z.object({
  /** Absent for one that Signalbox did not make: it is listed and never touched. */
  id: z.optional(WorktreeId),
  repo: z.string(),
  path: z.string(),
  branch: z.optional(z.string()),
  head: z.optional(z.string()),
  base: z.optional(z.string()),
  state: z.enum(['making', 'waiting', 'made', 'failed', 'removing', 'removed', 'other']),
  problem: z.optional(z.object({ step: z.string(), message: z.string() })),
  session: z.optional(z.object({ id: SessionId, title: z.string(), status: Status, agent: AgentId })),
  /** Changed and untracked files. */
  dirty: z.optional(z.int()),
  /** Commits that its base does not have. */
  ahead: z.optional(z.int()),
  locked: z.optional(z.string()),
  /** The repository's own folder, not a linked worktree. */
  main: z.optional(z.boolean()),
  disk: z.optional(z.object({ bytes: z.int(), at: z.string() })),
  scripts: z.optional(ProjectScripts),
  devPort: z.optional(z.int()),
  /** The session of its run script while that runs; stop it with `POST /api/sessions/:id/stop`. */
  runScript: z.optional(SessionId),
  /** Where ignored files are kept after a forced removal. */
  archive: z.optional(z.string()),
});
export type Worktree = z.infer<typeof Worktree>;

export const WorktreeList = z.object({ worktrees: z.array(Worktree) });

/** What a new worktree would be, before it is made. */
export const WorktreePreview = z.object({
  repo: z.string(),
  /** What is checked out in the folder. */
  base: z.string(),
  branches: z.array(z.string()),
  path: z.string(),
  /** Files that would be copied. */
  copies: z.object({ files: z.int(), bytes: z.int(), names: z.array(z.string()), skipped: z.array(SkippedFile) }),
  scripts: ProjectScripts,
  /** Where the scripts come from, and whether they were accepted. */
  source: z.optional(z.enum(['repository', 'owner'])),
  trusted: z.boolean(),
  /** Sessions that already work in this folder. */
  others: z.array(z.object({ id: SessionId, title: z.string() })),
});
export type WorktreePreview = z.infer<typeof WorktreePreview>;
/** Where there can be no worktree, the reason. */
export const PreviewAnswer = z.union([WorktreePreview, z.object({ problem: z.string() })]);

export const MergeBody = z.strictObject({ into: z.optional(Ref), dryRun: z.optional(z.boolean()), commandId: z.optional(CommandId) });
export const MergeAnswer = z.object({
  into: z.string(),
  /** The files that the merge changes. */
  files: z.array(z.string()),
  commit: z.optional(z.string()),
  dryRun: z.boolean(),
  /** The target already has every commit. */
  upToDate: z.optional(z.boolean()),
});
export type MergeAnswer = z.infer<typeof MergeAnswer>;
export const RemoveBody = z.strictObject({ force: z.optional(z.boolean()), dryRun: z.optional(z.boolean()), commandId: z.optional(CommandId) });
export const ActBody = z.strictObject({ commandId: z.optional(CommandId) });
export const ScriptsBody = z.strictObject({ repo: z.string(), ...ProjectScripts.shape });
