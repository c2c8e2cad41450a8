import * as z from 'zod/mini';
import { GitAct, LongAct, SessionPr } from '../git.ts';
import { CommandId, ScriptId, Sha256 } from '../ids.ts';
import { TreeFile } from './changes.ts';

export const Side = z.enum(['unstaged', 'staged']);
export type Side = z.infer<typeof Side>;

export const FinishQuery = z.strictObject({ path: z.optional(z.string().check(z.maxLength(4096))), side: z.optional(Side) });

/** A file as one side sees it: the index against the last commit, or the folder against the index. */
export const SideFile = z.object({ path: z.string(), oldPath: z.optional(z.string()), state: TreeFile.shape.state });
export type SideFile = z.infer<typeof SideFile>;

/** Names a hunk. `sha256` is of its lines below the header; if either differs from what git says now, nothing is applied. */
export const HunkName = z.strictObject({
  path: z.string().check(z.minLength(1), z.maxLength(4096)),
  header: z.string().check(z.maxLength(200)),
  sha256: Sha256,
});
export type HunkName = z.infer<typeof HunkName>;

export const Hunk = z.object({ header: z.string(), sha256: z.string(), text: z.string() });
export type Hunk = z.infer<typeof Hunk>;

/** The diff of one file on one side. Without hunks, or if they can't be staged one by one, `note` says why. */
export const SideDiff = z.object({ path: z.string(), side: Side, hunks: z.array(Hunk), canSplit: z.boolean(), note: z.optional(z.string()) });
export type SideDiff = z.infer<typeof SideDiff>;

/** Something that can run programs or names a remote, and is not as it was before the agent started. */
export const PlantedChange = z.object({
  name: z.string(),
  kind: z.enum(['setting', 'hook', 'file']),
  change: z.enum(['new', 'changed', 'gone']),
  /** What it is now, with passwords in addresses masked; absent if it is gone. */
  text: z.optional(z.string()),
});
export type PlantedChange = z.infer<typeof PlantedChange>;

/** What an agent may have planted: git would run it for a person. `sha256` names exactly this list. */
export const Planted = z.object({
  sha256: Sha256,
  changes: z.array(PlantedChange),
  /** False if nothing was noted when the session started: then everything is listed. */
  startKnown: z.boolean(),
  confirmed: z.boolean(),
});
export type Planted = z.infer<typeof Planted>;

export const FinishRemote = z.object({ name: z.string(), url: z.string() });

const RunningNow = z.object({ commandId: CommandId, act: LongAct, scriptId: z.string(), at: z.string() });

export const ActAnswer = z.object({
  commandId: CommandId,
  act: GitAct,
  ok: z.boolean(),
  seq: z.int(),
  commit: z.optional(z.string()),
  url: z.optional(z.string()),
  checkpointId: z.optional(z.string()),
  /** The script session whose output this is. */
  scriptId: z.optional(z.string()),
  message: z.optional(z.string()),
});
export type ActAnswer = z.infer<typeof ActAnswer>;

export const Finish = z.union([
  z.object({ repository: z.literal(false), reason: z.string() }),
  z.object({
    repository: z.literal(true),
    branch: z.optional(z.string()),
    head: z.optional(z.string()),
    /** The branch that a push goes to by default, how far the two differ, and the commit that it had when it was last seen. */
    upstream: z.optional(z.object({ name: z.string(), ahead: z.int(), behind: z.int(), commit: z.optional(z.string()) })),
    remotes: z.array(FinishRemote),
    unstaged: z.array(SideFile),
    staged: z.array(SideFile),
    /** Staged files outside the session's folder: a commit includes them. */
    stagedElsewhere: z.int(),
    more: z.boolean(),
    /** A merge or rebase that somebody has to finish first. */
    conflicts: z.int(),
    /** Another git command holds the index. */
    locked: z.optional(z.string()),
    planted: z.optional(Planted),
    running: z.optional(RunningNow),
    /** The last commit, push and pull request asked for here. */
    recent: z.array(ActAnswer),
    pr: z.optional(SessionPr),
    diff: z.optional(SideDiff),
  }),
]);
export type Finish = z.infer<typeof Finish>;

const commandId = z.optional(CommandId);
const Paths = z.array(z.string().check(z.minLength(1), z.maxLength(4096))).check(z.minLength(1), z.maxLength(5000));

/** Either whole files or hunks. */
export const StageBody = z.strictObject({
  paths: z.optional(Paths),
  hunks: z.optional(z.array(HunkName).check(z.minLength(1), z.maxLength(1000))),
  commandId,
});
export type StageBody = z.infer<typeof StageBody>;

export const TrustBody = z.strictObject({ sha256: Sha256, commandId });
export const MessageBody = z._default(z.nullable(z.strictObject({ commandId })), null);
/** `by` says where the text comes from: the session's agent, or the names of the changed files. */
export const DraftMessage = z.object({ text: z.string(), by: z.enum(['agent', 'paths']), note: z.optional(z.string()) });
export type DraftMessage = z.infer<typeof DraftMessage>;

/** Longer messages belong into a file. */
export const CommitBody = z.strictObject({ message: z.string().check(z.minLength(1, 'the message is empty'), z.maxLength(32 * 1024)), commandId });

const RefName = z.string().check(z.minLength(1), z.maxLength(250));
export const PushBody = z.strictObject({
  remote: z.optional(RefName),
  branch: z.optional(RefName),
  /** Overwrites the remote branch, but only if it still is this commit. Never sent without a person's confirmation. */
  overwrite: z.optional(
    z.strictObject({ expected: z.string().check(z.regex(/^[0-9a-f]{40,64}$/, 'the full id of the commit that the remote branch has now')) }),
  ),
  commandId,
});
export type PushBody = z.infer<typeof PushBody>;

export const PrBody = z.strictObject({
  title: z.string().check(z.minLength(1, 'the title is empty'), z.maxLength(500)),
  body: z.string().check(z.maxLength(60_000)),
  base: z.optional(RefName),
  draft: z.optional(z.boolean()),
  commandId,
});
export type PrBody = z.infer<typeof PrBody>;

/** With `url`, a pull request. With `compareUrl`, the page where a person can open one, because no program for it is installed. */
export const PrAnswer = z.union([ActAnswer, z.object({ compareUrl: z.string() })]);
export type PrAnswer = z.infer<typeof PrAnswer>;

export const PrNow = z.object({ pr: z.optional(SessionPr), problem: z.optional(z.string()) });
export type PrNow = z.infer<typeof PrNow>;
export const CardBody = z.strictObject({ card: z.string().check(z.maxLength(300)), send: z.optional(z.boolean()), commandId });

export const StartedAnswer = z.object({ commandId: CommandId, act: LongAct, scriptId: ScriptId });
