import * as z from 'zod/mini';
import { Actor, Role } from './actor.ts';

import { Anchor, AnnotationChange, AnnotationId, AnnotationKind, ReviewDelivery, ReviewId, ReviewItem, SettleOutcome, Target } from './annotation.ts';
import { Share, ShareId, Webhook, WebhookId } from './api/outside/outside.ts';
import { GitOutcome, LongAct, NotedEntry, PrCheck, PrComment, PrState } from './git.ts';
import { AgentId, CheckpointId, CommandId, ItemId, RequestId, RunId, ScriptId, SessionId, Sha256, TurnId, WorktreeId } from './ids.ts';
import { ContinueWhy, GateOutcome, GateWhy, NodeId, PauseReason, PlanHead, PlanId, PlanNode, PlanOp, ProposalId, TurnOutcome } from './plan.ts';
import { Remember, Rule, RuleId, RuleScope } from './rule.ts';

import { PermissionMode, ReportedCapabilities, SessionOptions, Status, Thinking } from './session.ts';
import { Subject } from './subject.ts';

/** The file and the position of the line from which an event was read. */
export const Source = z.object({ run: z.optional(RunId), file: z.optional(z.string()), byte: z.int() });
export type Source = z.infer<typeof Source>;

export const BlobRef = z.object({ sha256: Sha256, bytes: z.int() });
export type BlobRef = z.infer<typeof BlobRef>;

export const ImageRef = z.object({ mediaType: z.string(), sha256: Sha256, bytes: z.int() });
export type ImageRef = z.infer<typeof ImageRef>;

export const Usage = z.object({
  inputTokens: z.number(),
  outputTokens: z.number(),
  cacheReadTokens: z.number(),
  cacheWriteTokens: z.number(),
});
export type Usage = z.infer<typeof Usage>;

/** What one model used, including subagents and the agent's own tasks (a compaction). */
const ModelSpent = z.object({ model: z.string(), usage: Usage, costUsd: z.optional(z.number()) });
export type ModelSpent = z.infer<typeof ModelSpent>;

/** What a tool did to a file. `patch` is unified-diff hunks; a new file is one hunk that adds every line. */
export const FileChange = z.object({
  kind: z.enum(['create', 'edit', 'delete']),
  path: z.string(),
  patch: z.string(),
});
export type FileChange = z.infer<typeof FileChange>;

/** What a person points at in addition to a message: a file, lines of it, or a piece of text. */
const ContextReference = z.object({ path: z.optional(z.string()), fromLine: z.optional(z.int()), toLine: z.optional(z.int()), text: z.optional(z.string()) });

const json = z.record(z.string(), z.unknown());

/** What a person can change in a live session. */
export const Setting = z.object({ setting: z.enum(['model', 'mode', 'thinking']), value: z.string() });
export type Setting = z.infer<typeof Setting>;

const envelope = {
  seq: z.int().check(z.positive()),
  at: z.string(),
  /** False if the line was printed while no server was running and the agent gave no time of its own. */
  atKnown: z.optional(z.boolean()),
  /** The version of the event's shape; absent means 1. */
  v: z.optional(z.int()),
  actor: z.optional(Actor),
  turnId: z.optional(TurnId),
  itemId: z.optional(ItemId),
  parentItemId: z.optional(ItemId),
  src: z.optional(Source),
  /** The agent's own id of the line. */
  uuid: z.optional(z.string()),
  /** True for what happened before this session started: copied from the one it continues, or from the agent's own record. */
  inherited: z.optional(z.boolean()),
  /** True for what happened in another program that continued the conversation, and was read from the agent's own record. */
  elsewhere: z.optional(z.boolean()),
  /** Fields whose text is only a head, by path (`input.content`); the full text is a blob. */
  blobs: z.optional(z.record(z.string(), BlobRef)),
};

/**
 * Who makes an event, and therefore what can restore it if the database is lost.
 * person: decided by a person or a rule, and kept in the audit; agent: printed by the agent, unchanged; engine: follows from what the agent printed;
 * server: noticed outside the agent's output.
 */
type Maker = 'person' | 'agent' | 'engine' | 'server';

/**
 * How an event appears in a transcript.
 * mark: one line, with the words of `domain/transcript/sentences.ts`; item: its own form, or a change to another item, as `domain/transcript/fold-event.ts` says;
 * both: an item or a line, or a line that also changes something; hidden: not at all.
 */
type Appearance = 'mark' | 'item' | 'both' | 'hidden';

interface Definition<T extends string, M extends Maker, A extends Appearance, S extends z.core.$ZodType> {
  readonly type: T;
  readonly version: number;
  readonly durable: true;
  readonly madeBy: M;
  readonly transcript: A;
  readonly schema: S;
}

function durable<T extends string, M extends Maker, A extends Appearance, F extends Record<string, z.core.SomeType>>(
  type: T,
  version: number,
  madeBy: M,
  transcript: A,
  fields: F,
) {
  // The cast states what the spread does: a field of the event replaces that of the envelope.
  const shape = { ...envelope, type: z.literal(type), ...fields } as Omit<typeof envelope, keyof F> & { readonly type: z.ZodMiniLiteral<T> } & F;
  const schema = z.object(shape);
  return { type, version, durable: true, madeBy, transcript, schema } satisfies Definition<T, M, A, typeof schema>;
}

const ProjectScripts = z.object({ setup: z.optional(z.string()), run: z.optional(z.string()), archive: z.optional(z.string()) });

/** The scripts of a worktree, and what a person accepts with them: `sha256` covers their text and the files that they name. */
export const WorktreeScripts = z.object({ ...ProjectScripts.shape, source: z.enum(['repository', 'owner']), sha256: Sha256, files: z.array(z.string()) });
export type WorktreeScripts = z.infer<typeof WorktreeScripts>;
/** A path below the session's folder that a checkpoint does not hold, and why. */
const LeftOut = z.object({ path: z.string(), why: z.string() });
export type LeftOut = z.infer<typeof LeftOut>;

/** A file that differs from the checkpoint before, with its added and deleted lines. */
const CheckpointChange = z.object({ path: z.string(), added: z.int(), deleted: z.int() });

/** before and after: around a turn; the others: right before somebody reverts, discards or removes something. */
export const CheckpointWhen = z.enum(['before', 'after', 'revert', 'discard', 'remove']);
export type CheckpointWhen = z.infer<typeof CheckpointWhen>;

const RevertedFile = z.object({ path: z.string(), result: z.enum(['restored', 'deleted', 'refused']), why: z.optional(z.string()) });

const assistantBlock = { messageId: z.string(), index: z.int(), text: z.string(), parentToolUseId: z.optional(z.string()) };

/**
 * resume: continues the agent's conversation itself; fork: a copy of it; both up to the agent's own message `afterMessage`, or the end.
 * handover: a new conversation that starts with a summary of the old one.
 */
export const Origin = z.object({
  kind: z.enum(['resume', 'fork', 'handover']),
  agentSessionId: z.string(),
  afterMessage: z.optional(z.string()),
  /** For a handover: the summary and its source; `agent` means that the agent is asked for a better one first. */
  summary: z.optional(z.object({ how: z.enum(['compaction', 'agent', 'extract']), text: z.string() })),
});
export type Origin = z.infer<typeof Origin>;

/** The moments in the life of an agent in a terminal that its hooks report. */
export const HookEvent = z.enum(['SessionStart', 'SessionEnd', 'Stop', 'Notification']);
export type HookEvent = z.infer<typeof HookEvent>;

/**
 * Every durable event, once: type, version, who makes it, how it appears in a transcript, fields. docs/adding-an-event.md shows how to add one.
 * Adding an optional field keeps the version; anything else raises it and needs an upcaster.
 */
export const EVENTS = [
  durable('session.created', 1, 'person', 'mark', {
    agent: AgentId,
    cwd: z.string(),
    node: z.string(),
    owner: z.string(),
    title: z.optional(z.string()),
    options: SessionOptions,
    parent: z.optional(z.object({ sessionId: z.string(), seq: z.int() })),
    /** The agent's own conversation that this session continues. */
    origin: z.optional(Origin),
    /** The session whose agent started this one; it then has the same owner. */
    startedBy: z.optional(z.object({ sessionId: z.string(), ownerId: z.string() })),
    /** Of an adopted past session: its events up to this number are read from the agent's own record; this one is the next. */
    base: z.optional(z.int()),
  }),
  /** `cause` is the type of the event that caused it, `causeSeq` its number. */
  durable('session.status', 1, 'server', 'hidden', { status: Status, cause: z.string(), causeSeq: z.optional(z.int()) }),
  /** The decision to give the session a process; `mode` says whether the agent continues a conversation. */
  durable('run.opened', 1, 'person', 'hidden', {
    run: RunId,
    mode: z.enum(['new', 'resume', 'fork']),
    agentSessionId: z.optional(z.string()),
    /** Of a fork: the conversation that is copied. */
    from: z.optional(z.string()),
    /** The agent's own message after which it continues. */
    afterMessage: z.optional(z.string()),
    reason: z.string(),
  }),
  /** The process responds. */
  durable('run.ready', 1, 'engine', 'hidden', { run: RunId }),
  /** The decision to end the process, and why; it is over with `session.exited`. */
  durable('run.ending', 1, 'person', 'hidden', { run: RunId, reason: z.enum(['sleep', 'stop', 'delete', 'disk', 'stuck', 'handover', 'restart']) }),
  durable('session.started', 1, 'agent', 'both', {
    agentSessionId: z.string(),
    model: z.optional(z.string()),
    tools: z.array(z.string()),
    commands: z.array(z.object({ name: z.string(), description: z.optional(z.string()), argumentHint: z.optional(z.string()) })),
    mcpServers: z.array(z.object({ name: z.string(), status: z.string() })),
    permissionMode: z.optional(z.string()),
    thinking: z.optional(Thinking),
    version: z.optional(z.string()),
    cwd: z.string(),
    /** `resolved` is what the agent says it runs if `value` is requested. */
    models: z.optional(z.array(z.object({ value: z.string(), title: z.optional(z.string()), resolved: z.optional(z.string()) }))),
    agentCapabilities: z.optional(z.array(z.string())),
  }),
  /** What the agent reports or shows that it can do; what it does not mention stays unchanged. */
  durable('capabilities.told', 1, 'agent', 'hidden', { can: ReportedCapabilities }),
  durable('session.exited', 1, 'engine', 'both', {
    run: RunId,
    code: z.optional(z.nullable(z.int())),
    signal: z.optional(z.nullable(z.string())),
    reason: z.string(),
    /** It ended while no server was running, for example because the machine was restarted. */
    foundAtStart: z.optional(z.boolean()),
  }),
  durable('input.accepted', 1, 'person', 'item', {
    commandId: CommandId,
    text: z.string(),
    images: z.optional(z.array(ImageRef)),
    context: z.optional(z.array(ContextReference)),
    mode: z.enum(['queue', 'steer']),
  }),
  durable('input.edited', 1, 'person', 'item', { commandId: CommandId, text: z.string() }),
  durable('input.moved', 1, 'person', 'item', { commandId: CommandId, before: z.optional(CommandId) }),
  /** A queued message should join the running turn. */
  durable('input.steered', 1, 'person', 'item', { commandId: CommandId }),
  durable('input.cancelled', 1, 'person', 'item', { commandId: CommandId, reason: z.string() }),
  durable('input.delivered', 1, 'person', 'item', { commandId: CommandId, run: RunId }),
  durable('input.consumed', 1, 'engine', 'item', { commandId: CommandId }),
  durable('input.returned', 1, 'person', 'item', { commandId: CommandId, reason: z.string() }),
  durable('user.message', 1, 'agent', 'item', {
    text: z.string(),
    commandId: z.optional(CommandId),
    images: z.optional(z.array(ImageRef)),
    context: z.optional(z.array(ContextReference)),
    /** person: typed here; agent: written by the agent itself (a notification, a summary); elsewhere: typed in another program. */
    origin: z.enum(['person', 'agent', 'elsewhere']),
    parentToolUseId: z.optional(z.string()),
  }),
  durable('assistant.text', 1, 'agent', 'item', {
    ...assistantBlock,
    model: z.optional(z.string()),
    error: z.optional(z.string()),
    interrupted: z.optional(z.boolean()),
  }),
  durable('assistant.thinking', 1, 'agent', 'item', assistantBlock),
  durable('tool.started', 1, 'agent', 'item', {
    toolUseId: z.string(),
    name: z.string(),
    input: json,
    messageId: z.optional(z.string()),
    index: z.optional(z.int()),
    parentToolUseId: z.optional(z.string()),
    /** What the call does to a file if it succeeds, as far as its arguments say; for agents whose results don't. See domain/changes/call-change.ts. */
    intends: z.optional(FileChange),
  }),
  durable('tool.completed', 1, 'agent', 'item', {
    toolUseId: z.string(),
    output: z.string(),
    isError: z.boolean(),
    /** Why it was closed, if the agent itself did not close it. */
    closedBy: z.optional(z.string()),
    change: z.optional(FileChange),
    images: z.optional(z.array(ImageRef)),
    parentToolUseId: z.optional(z.string()),
  }),
  durable('permission.requested', 1, 'engine', 'item', {
    requestId: RequestId,
    agentRequestId: z.string(),
    toolUseId: z.optional(z.string()),
    tool: z.string(),
    input: json,
    title: z.optional(z.string()),
    suggestions: z.optional(z.array(json)),
    kind: z.enum(['tool', 'question', 'plan']),
    subagent: z.optional(z.string()),
    /** What the subagent was started for. */
    subagentTitle: z.optional(z.string()),
    subject: z.optional(Subject),
  }),
  durable('permission.resolved', 1, 'person', 'item', {
    requestId: RequestId,
    outcome: z.enum(['allowed', 'denied', 'cancelled', 'lapsed']),
    behavior: z.optional(z.enum(['allow', 'deny'])),
    message: z.optional(z.string()),
    updatedInput: z.optional(json),
    interrupt: z.optional(z.boolean()),
    /** For a question: what was chosen, by question. */
    answers: z.optional(z.record(z.string(), z.union([z.string(), z.array(z.string())]))),
    /** For a plan: the mode to continue in. */
    mode: z.optional(PermissionMode),
    remember: z.optional(Remember),
    /** The agent's own suggestions that were sent back to it. */
    granted: z.optional(z.array(json)),
    /** All rules that together decided it; the actor is the first of them. */
    rules: z.optional(z.array(RuleId)),
    commandId: z.optional(CommandId),
  }),
  durable('interrupt.requested', 1, 'person', 'hidden', { commandId: CommandId, turnId: z.optional(TurnId) }),
  /** `cause` is input, or what made the agent start on its own. */
  durable('turn.started', 1, 'engine', 'both', { turnId: TurnId, cause: z.string(), commandId: z.optional(CommandId) }),
  durable('turn.completed', 1, 'engine', 'item', {
    turnId: TurnId,
    /** The message that the turn worked on. */
    commandId: z.optional(CommandId),
    stopReason: z.string(),
    isError: z.boolean(),
    interrupted: z.boolean(),
    durationMs: z.optional(z.number()),
    costUsd: z.optional(z.number()),
    usage: z.optional(Usage),
    /** What the turn used of each model, if the agent reports it; `usage` can be limited to the main thread. */
    models: z.optional(z.array(ModelSpent)),
    contextTokens: z.optional(z.int()),
    contextWindow: z.optional(z.int()),
    denials: z.int(),
    result: z.optional(z.string()),
    errors: z.optional(z.array(z.string())),
  }),
  /** What one answer of the model cost. If it is reported again for the same message, the later one counts. */
  durable('usage.reported', 1, 'agent', 'hidden', {
    messageId: z.optional(z.string()),
    model: z.optional(z.string()),
    usage: Usage,
    contextTokens: z.optional(z.int()),
    contextWindow: z.optional(z.int()),
    costUsd: z.optional(z.number()),
  }),
  durable('limit.reported', 1, 'agent', 'mark', { status: z.string(), resetsAt: z.optional(z.string()), kind: z.string(), overage: z.optional(json) }),
  durable('context.compacted', 1, 'agent', 'mark', {
    preTokens: z.optional(z.int()),
    postTokens: z.optional(z.int()),
    trigger: z.string(),
    failed: z.optional(z.string()),
  }),
  /** The agent does not remember a turn that this transcript shows. */
  durable('context.forgotten', 1, 'engine', 'both', { commandId: CommandId, reason: z.string() }),
  durable('suggestion.offered', 1, 'agent', 'item', { text: z.string() }),
  durable('task.updated', 1, 'agent', 'both', {
    taskId: z.string(),
    toolUseId: z.optional(z.string()),
    /** `subagent`, `command` (one that runs in the background), or the agent's own word. */
    kind: z.string(),
    status: z.string(),
    title: z.optional(z.string()),
    detail: z.optional(z.string()),
    usage: z.optional(json),
  }),
  durable('hook.ran', 1, 'agent', 'mark', {
    name: z.string(),
    event: z.string(),
    outcome: z.optional(z.string()),
    exitCode: z.optional(z.int()),
    output: z.optional(z.string()),
  }),
  durable('model.changed', 1, 'agent', 'both', { model: z.string(), reason: z.string() }),
  durable('mode.changed', 1, 'agent', 'both', { mode: z.string(), reason: z.string() }),
  durable('thinking.changed', 1, 'agent', 'both', { thinking: Thinking, reason: z.string() }),
  /** A person requests it; the agent's own confirmation changes what is shown. Without a process it applies from the next one on. */
  durable('setting.requested', 1, 'person', 'item', { commandId: CommandId, ...Setting.shape }),
  durable('setting.refused', 1, 'agent', 'both', { commandId: CommandId, ...Setting.shape, reason: z.string() }),
  durable('rewind.requested', 1, 'person', 'hidden', { commandId: CommandId, messageSeq: z.int(), messageId: z.string(), dryRun: z.boolean() }),
  durable('files.rewound', 1, 'agent', 'mark', {
    commandId: CommandId,
    dryRun: z.boolean(),
    canRewind: z.boolean(),
    files: z.array(z.string()),
    insertions: z.optional(z.int()),
    deletions: z.optional(z.int()),
    problem: z.optional(z.string()),
  }),
  /** Another program has the agent's conversation open; no process of ours may write to it. */
  durable('driver.found', 1, 'engine', 'mark', { pid: z.int(), since: z.optional(z.string()), what: z.optional(z.string()) }),
  durable('driver.gone', 1, 'engine', 'mark', { pid: z.int(), reason: z.string() }),
  durable('takeover.requested', 1, 'person', 'mark', { commandId: CommandId, pid: z.int() }),
  /** It will resume automatically at that time, once. */
  durable('continuation.scheduled', 1, 'person', 'mark', {
    commandId: CommandId,
    resumesAt: z.string(),
    text: z.string(),
    /** The reset that it waits for, if a standing preference scheduled it. */
    resetsAt: z.optional(z.string()),
  }),
  durable('continuation.ended', 1, 'person', 'mark', { outcome: z.enum(['sent', 'cancelled']), reason: z.string() }),
  /** Queued messages wait until somebody resumes the queue; `commandId` is the interrupt, or the request to pause it. */
  durable('queue.paused', 1, 'person', 'mark', { commandId: CommandId, cause: z.enum(['interrupt', 'request']) }),
  durable('queue.resumed', 1, 'person', 'mark', { commandId: CommandId }),
  /** Of the workspace: whether turns that a usage limit cut off continue at its reset. */
  durable('continuation.preferred', 1, 'person', 'hidden', { scope: RuleScope, choice: z.enum(['on', 'off', 'unset']) }),
  /** The summary of the old conversation for the new one. */
  durable('handover.ready', 1, 'person', 'mark', { how: z.enum(['compaction', 'agent', 'extract']), text: z.string() }),
  durable('retry.reported', 1, 'agent', 'mark', { attempt: z.int(), maxAttempts: z.optional(z.int()), delayMs: z.optional(z.number()), error: z.string() }),
  /** The agent's own name of the conversation; `named`: a person gave it there, so it replaces the title here. */
  durable('title.reported', 1, 'agent', 'hidden', { title: z.string(), named: z.optional(z.boolean()) }),
  /** The agent saw one of its commands change a repository (`commit`, `push` …), or publish a change for review. */
  durable('vcs.reported', 1, 'agent', 'mark', {
    action: z.string(),
    branch: z.optional(z.string()),
    cwd: z.optional(z.string()),
    /** A pull request or the like, as the agent read it in the command's output: nobody has verified it. */
    published: z.optional(z.object({ url: z.string(), repo: z.string(), identifier: z.string(), provider: z.optional(z.string()) })),
  }),
  durable('notice.shown', 1, 'agent', 'both', { level: z.enum(['info', 'warning', 'error']), text: z.string() }),
  durable('output.lost', 1, 'server', 'mark', { fromByte: z.int(), reason: z.string() }),
  durable('meta.changed', 1, 'person', 'hidden', {
    title: z.optional(z.string()),
    tags: z.optional(z.array(z.string())),
    star: z.optional(z.boolean()),
    note: z.optional(z.nullable(z.string())),
    archived: z.optional(z.boolean()),
    closed: z.optional(z.boolean()),
    giveComments: z.optional(z.boolean()),
  }),
  /** A person's marks on one item: `target` is an event of it, `item` its key in the transcript, which survives renumbering. */
  durable('item.marked', 1, 'person', 'item', {
    target: z.int().check(z.positive()),
    item: z.string(),
    star: z.optional(z.boolean()),
    tags: z.optional(z.array(z.string())),
    note: z.optional(z.nullable(z.string())),
  }),
  durable('annotation.made', 1, 'person', 'hidden', {
    annotationId: AnnotationId,
    target: Target,
    kind: AnnotationKind,
    text: z.string(),
    suggestion: z.optional(z.string()),
    anchor: z.optional(Anchor),
  }),
  durable('annotation.edited', 1, 'person', 'hidden', { annotationId: AnnotationId, ...AnnotationChange.shape }),
  durable('annotation.withdrawn', 1, 'person', 'hidden', { annotationId: AnnotationId }),
  /** On the stream the annotation was made in; `to` is the session that got it. */
  durable('annotation.sent', 1, 'person', 'hidden', { annotationId: AnnotationId, reviewId: ReviewId, label: z.string(), to: z.string() }),
  durable('annotation.settled', 1, 'person', 'hidden', { annotationId: AnnotationId, outcome: SettleOutcome, note: z.optional(z.string()) }),
  /** On the recipient's stream; the message itself is the input of the same command, or the message of the answer to `requestId`. */
  durable('review.sent', 1, 'person', 'hidden', {
    reviewId: ReviewId,
    commandIds: z.array(CommandId),
    annotations: z.array(ReviewItem),
    requestId: z.optional(RequestId),
  }),
  /** What the agent did about an annotation, on the recipient's stream; `evidenceSeq` is the event that shows it. */
  durable('annotation.answered', 1, 'engine', 'hidden', {
    annotationId: AnnotationId,
    reviewId: ReviewId,
    how: z.enum(['edit', 'words', 'tool']),
    evidenceSeq: z.optional(z.int()),
    text: z.optional(z.string()),
  }),
  /** The turn that took the review is over. */
  durable('review.ended', 1, 'engine', 'mark', { reviewId: ReviewId, answered: z.array(z.string()), skipped: z.array(z.string()) }),
  /** The files of the session's folder at this moment, stored as a commit in its side repository. */
  durable('checkpoint.made', 1, 'server', 'hidden', {
    checkpointId: CheckpointId,
    commit: z.string(),
    when: CheckpointWhen,
    /** The message before which, or the revert, discard or removal for which it was made. */
    commandId: z.optional(CommandId),
    /** It was finished after a tool had started, so it may hold part of what that tool did. */
    late: z.optional(z.boolean()),
    /** Another session worked in the same folder. */
    shared: z.optional(z.boolean()),
    /** What differs from this session's checkpoint before; the first ones, and how many more. */
    changed: z.array(CheckpointChange),
    changedMore: z.optional(z.int()),
    left: z.array(LeftOut),
    leftMore: z.optional(z.int()),
  }),
  /** Said once until it changes. `off`: a bound was exceeded, and checkpoints of the folder stay off until a person turns them on. */
  durable('checkpoint.skipped', 1, 'server', 'mark', { reason: z.string(), off: z.optional(z.boolean()) }),
  /** Old checkpoints were deleted to make space. */
  durable('checkpoint.removed', 1, 'server', 'hidden', { checkpointIds: z.array(CheckpointId), reason: z.string() }),
  durable('checkpoint.enabled', 1, 'person', 'mark', { commandId: CommandId }),
  /** `checkpointId` is the state that the files get; `to` is the event that the person named. Without paths: all that this session changed since. */
  durable('revert.requested', 1, 'person', 'hidden', {
    commandId: CommandId,
    to: z.int(),
    checkpointId: CheckpointId,
    paths: z.optional(z.array(z.string())),
    force: z.optional(z.array(z.string())),
  }),
  durable('revert.done', 1, 'server', 'mark', {
    commandId: CommandId,
    checkpointId: CheckpointId,
    /** The checkpoint that undoes it; absent if nothing was touched. */
    undo: z.optional(CheckpointId),
    files: z.array(RevertedFile),
    /** Why nothing was touched. */
    problem: z.optional(z.string()),
  }),
  /** Somebody asked for what their role does not allow; kept for acts on files and repositories. */
  durable('act.refused', 1, 'person', 'hidden', { act: z.string(), target: z.optional(z.string()), role: z.string() }),
  durable('session.deleted', 1, 'person', 'hidden', {}),
  durable('rule.created', 1, 'person', 'hidden', { rule: Rule }),
  durable('rule.revoked', 1, 'person', 'hidden', { ruleId: RuleId, reason: z.string() }),
  durable('token.added', 1, 'person', 'hidden', { name: z.string(), role: Role }),
  durable('token.revoked', 1, 'person', 'hidden', { name: z.string() }),
  /** Of a deleted private session: the agent still has these on disk, and they stay private to its owner. */
  durable('conversations.closed', 1, 'person', 'hidden', { ownerId: z.string(), agentSessionIds: z.array(z.string()) }),
  /** Of the workspace: a review for one session or several. Each delivery is submitted until it has a receipt or a refusal. */
  durable('review.requested', 1, 'person', 'hidden', { reviewId: ReviewId, to: z.array(ReviewDelivery) }),
  /** Every command that an earlier event of the workspace named has been answered. */
  durable('background.ended', 1, 'person', 'hidden', { taskId: z.string(), refused: z.array(z.object({ sessionId: z.string(), message: z.string() })) }),
  /** The agent calls one of our tools. Without `agentRequestId` the call came over HTTP, and its result is not a line on the bus. */
  durable('tool.asked', 1, 'engine', 'both', {
    askId: z.string(),
    run: RunId,
    tool: z.string(),
    input: json,
    toolUseId: z.optional(z.string()),
    agentRequestId: z.optional(z.string()),
  }),
  durable('tool.answered', 1, 'person', 'both', {
    askId: z.string(),
    tool: z.string(),
    outcome: z.enum(['answered', 'refused', 'cancelled', 'lapsed']),
    text: z.string(),
    /** The code of a refusal. */
    code: z.optional(z.string()),
    /** Of a call over HTTP: the caller was waiting for it, or it became a message to the agent. */
    delivery: z.optional(z.enum(['call', 'input'])),
    /** The earlier call whose answer this is: the agent was restarted before it got the answer, and asked again. */
    repeats: z.optional(z.string()),
  }),
  /** The agent tried something with its token that only people may do. */
  durable('agent.refused', 1, 'person', 'hidden', { run: RunId, what: z.string() }),
  /** An agent in a terminal asks through one of its hooks; the request itself follows as `permission.requested`. */
  durable('hook.asked', 1, 'server', 'hidden', { askId: z.string(), tool: z.string(), input: json, subject: z.optional(Subject) }),
  /** Who ended that request. `terminal`: somebody answered in the terminal itself. */
  durable('hook.answered', 1, 'server', 'hidden', {
    askId: z.string(),
    outcome: z.enum(['allowed', 'denied', 'cancelled', 'lapsed']),
    by: z.enum(['person', 'rule', 'terminal', 'lapsed']),
  }),
  /** What an agent in a terminal reported about itself through a hook. */
  durable('hook.reported', 1, 'server', 'both', { event: HookEvent, text: z.optional(z.string()) }),
  /** What a command of the built-in script agent printed, in pieces as they came. */
  durable('command.output', 1, 'agent', 'item', { toolUseId: z.string(), stream: z.enum(['stdout', 'stderr']), text: z.string() }),
  /** How that command ended, and the end of what it printed. */
  durable('command.ended', 1, 'agent', 'hidden', { code: z.nullable(z.int()), signal: z.nullable(z.string()), durationMs: z.number(), tail: z.string() }),
  /** A script or a long git act runs for this session, as the session `sessionId` of the built-in script agent. Everything needed to start it again is here. */
  durable('script.started', 1, 'person', 'mark', {
    scriptId: ScriptId,
    kind: z.enum(['setup', 'run', 'archive', 'git']),
    /** As people read it. */
    command: z.string(),
    argv: z.array(z.string()),
    cwd: z.string(),
    /** Variables in addition to the server's; never secrets. */
    env: z.optional(z.record(z.string(), z.string())),
    sessionId: SessionId,
  }),
  /** Without `code` and `signal`, the command's end was never seen; `message` says why. */
  durable('script.ended', 1, 'server', 'mark', {
    scriptId: ScriptId,
    kind: z.enum(['setup', 'run', 'archive', 'git']),
    code: z.nullable(z.int()),
    signal: z.nullable(z.string()),
    durationMs: z.number(),
    /** The end of what it printed. */
    tail: z.optional(z.string()),
    message: z.optional(z.string()),
  }),
  /** What could run programs or name remotes in the repository before the agent did anything: names and hashes. */
  durable('git.noted', 1, 'server', 'hidden', { entries: z.array(NotedEntry) }),
  /** A person confirmed exactly the text with this hash: what changed in those settings and files since then. */
  durable('git.trusted', 1, 'person', 'mark', { commandId: CommandId, sha256: Sha256, names: z.array(z.string()) }),
  /** The decision to commit or push. The script `scriptId` runs it; `git.acted` says what came of it. */
  durable('git.started', 1, 'person', 'hidden', {
    commandId: CommandId,
    act: LongAct,
    scriptId: ScriptId,
    /** The commit that was checked out, and where it is pushed to. */
    head: z.optional(z.string()),
    remote: z.optional(z.string()),
    branch: z.optional(z.string()),
  }),
  /** What somebody did with git, or tried to. */
  durable('git.acted', 1, 'person', 'mark', { commandId: CommandId, ...GitOutcome.shape }),
  durable('pr.linked', 1, 'person', 'mark', { commandId: CommandId, host: z.string(), url: z.string(), number: z.int() }),
  /** What changed about the pull request: all its checks now, and the comments that are new. */
  durable('pr.updated', 1, 'server', 'mark', { url: z.string(), state: PrState, checks: z.array(PrCheck), comments: z.array(PrComment) }),
  /** A card about the pull request was dismissed or sent to the agent. */
  durable('pr.dismissed', 1, 'person', 'hidden', { commandId: CommandId, card: z.string(), sent: z.boolean() }),
  /** Decided before anything is created; `restores`: a removed worktree comes back. */
  durable('worktree.requested', 1, 'person', 'mark', {
    worktreeId: WorktreeId,
    repo: z.string(),
    path: z.string(),
    branch: z.string(),
    base: z.string(),
    baseCommit: z.string(),
    devPort: z.optional(z.int()),
    restores: z.optional(z.boolean()),
  }),
  /** The files are there: checked out, and copied as `.worktreeinclude` says. `included` lists the copies with their hashes. */
  durable('worktree.prepared', 1, 'server', 'mark', {
    worktreeId: WorktreeId,
    head: z.string(),
    copied: z.object({ files: z.int(), bytes: z.int() }),
    skipped: z.optional(z.array(z.object({ path: z.string(), why: z.string() }))),
    included: z.optional(BlobRef),
    /** The project's scripts as they are at the base commit, and a hash of them and of the files they name. */
    scripts: z.optional(WorktreeScripts),
  }),
  durable('worktree.made', 1, 'server', 'mark', { worktreeId: WorktreeId, head: z.string(), copied: z.object({ files: z.int(), bytes: z.int() }) }),
  durable('worktree.failed', 1, 'server', 'mark', {
    worktreeId: WorktreeId,
    step: z.enum(['add', 'copy', 'setup', 'archive', 'remove', 'restore']),
    message: z.string(),
  }),
  durable('worktree.retried', 1, 'person', 'mark', { worktreeId: WorktreeId }),
  /** `commit` is what `into` points to now; with `conflicts` nothing was changed. */
  durable('worktree.merged', 1, 'person', 'mark', {
    worktreeId: WorktreeId,
    into: z.string(),
    commit: z.optional(z.string()),
    conflicts: z.optional(z.array(z.string())),
  }),
  /** Decided, with everything that would be lost already saved; the files go next. */
  durable('worktree.removing', 1, 'person', 'hidden', {
    worktreeId: WorktreeId,
    archive: z.boolean(),
    forced: z.boolean(),
    head: z.string(),
    /** The archive script runs first. */
    script: z.optional(z.boolean()),
    checkpointId: z.optional(z.string()),
    commit: z.optional(z.string()),
    /** Where ignored files are moved to. */
    savedTo: z.optional(z.string()),
  }),
  durable('worktree.archived', 1, 'person', 'mark', {
    worktreeId: WorktreeId,
    checkpointId: z.optional(z.string()),
    branchKept: z.boolean(),
    forced: z.boolean(),
    /** A folder with what was written while it was being removed. */
    left: z.optional(z.string()),
  }),
  durable('worktree.removed', 1, 'person', 'mark', {
    worktreeId: WorktreeId,
    checkpointId: z.optional(z.string()),
    branchKept: z.boolean(),
    forced: z.boolean(),
    left: z.optional(z.string()),
  }),
  /** Of the workspace: an owner accepted exactly these scripts for a repository. */
  durable('scripts.trusted', 1, 'person', 'hidden', { repo: z.string(), sha256: Sha256, scripts: ProjectScripts }),
  /** Of the workspace: the owner's own scripts of a repository, which win over those in the repository; none of them: back to the repository's. */
  durable('scripts.set', 1, 'person', 'hidden', { repo: z.string(), scripts: ProjectScripts }),
  /** Of the workspace: a program is told what happens; its secret is in a file. */
  durable('webhook.added', 1, 'person', 'hidden', { webhook: Webhook }),
  durable('webhook.removed', 1, 'person', 'hidden', { webhookId: WebhookId }),
  /** Of the workspace: a link shows one session to anybody who has it, until it expires. */
  durable('share.created', 1, 'person', 'hidden', { share: Share }),
  durable('share.revoked', 1, 'person', 'hidden', { shareId: ShareId }),
  durable('plan.created', 1, 'person', 'hidden', {
    planId: PlanId,
    head: PlanHead,
    cwd: z.string(),
    base: z.optional(z.string()),
    branch: z.optional(z.string()),
    nodes: z.array(PlanNode),
    commandId: CommandId,
  }),
  /** The steps changed, in the name of a person or, within bounds that a person set, of an agent. */
  durable('plan.revised', 1, 'person', 'hidden', { revision: z.int(), ops: z.array(PlanOp), proposalId: z.optional(ProposalId) }),
  durable('plan.proposed', 1, 'person', 'hidden', {
    proposalId: ProposalId,
    base: z.int(),
    ops: z.array(PlanOp),
    why: z.string(),
    /** The session whose agent proposes it. */
    sessionId: z.optional(SessionId),
  }),
  /** `stale`: it was accepted, but no longer fits the plan. */
  durable('proposal.decided', 1, 'person', 'hidden', {
    proposalId: ProposalId,
    outcome: z.enum(['accepted', 'rejected', 'stale']),
    reason: z.optional(z.string()),
  }),
  /** An agent is asked to make steps out of a task. */
  durable('plan.generating', 1, 'person', 'hidden', { n: z.int(), agent: AgentId, sessionId: SessionId, prompt: z.string() }),
  /** `sent-back`: the agent's plan was wrong, and it gets `text`. */
  durable('plan.generated', 1, 'server', 'hidden', {
    n: z.int(),
    outcome: z.enum(['proposed', 'sent-back', 'failed']),
    problem: z.optional(z.string()),
    text: z.optional(z.string()),
  }),
  /** In a repository: the branch that the steps' work is merged into, and the commit that it starts from. */
  durable('plan.started', 1, 'person', 'hidden', {
    repo: z.optional(z.string()),
    branch: z.optional(z.string()),
    base: z.optional(z.string()),
    baseCommit: z.optional(z.string()),
  }),
  durable('plan.paused', 1, 'person', 'hidden', { reason: PauseReason, words: z.optional(z.string()) }),
  durable('plan.resumed', 1, 'person', 'hidden', {}),
  durable('plan.cancelled', 1, 'person', 'hidden', {}),
  durable('plan.completed', 1, 'server', 'hidden', { outcome: z.enum(['done', 'failed']), reason: z.optional(z.string()) }),
  /** The plan has spent 80 % of this budget. */
  durable('budget.neared', 1, 'server', 'hidden', { of: z.enum(['usd', 'minutes', 'turns']) }),
  /** An attempt begins; `prompt` is what its agent gets, with the summaries of the steps that it needs. */
  durable('node.started', 1, 'server', 'hidden', { node: NodeId, attempt: z.int(), sessionId: SessionId, prompt: z.string(), machine: z.optional(z.string()) }),
  /** The same attempt goes on with one more message to its agent; `input` numbers them, from 2. */
  durable('node.continued', 1, 'person', 'hidden', { node: NodeId, attempt: z.int(), input: z.int(), why: ContinueWhy, text: z.string() }),
  /** A person asked for a new attempt, or to leave the step out. */
  durable('node.retried', 1, 'person', 'hidden', { node: NodeId, words: z.optional(z.string()) }),
  durable('node.skipped', 1, 'person', 'hidden', { node: NodeId }),
  /** One turn of an attempt: `turnSeq` is its end in the session. Without `usd`, the agent did not say what it cost. */
  durable('node.spent', 1, 'server', 'hidden', {
    node: NodeId,
    attempt: z.int(),
    sessionId: SessionId,
    turnSeq: z.int(),
    outcome: TurnOutcome,
    usd: z.optional(z.number()),
    turns: z.int(),
    ms: z.number(),
    /** Of a turn that a usage limit ended: when the limit resets. */
    until: z.optional(z.string()),
  }),
  /** The agent is done with this round, and says this. */
  durable('node.reported', 1, 'server', 'hidden', { node: NodeId, attempt: z.int(), summary: z.string(), artifact: z.optional(z.string()) }),
  durable('node.verified', 1, 'server', 'hidden', {
    node: NodeId,
    attempt: z.int(),
    round: z.int(),
    ok: z.boolean(),
    sessionId: SessionId,
    output: z.string(),
  }),
  /** `commit` is what the plan's branch points to now; with `conflicts` nothing was changed. */
  durable('node.merged', 1, 'server', 'hidden', {
    node: NodeId,
    attempt: z.int(),
    commit: z.optional(z.string()),
    conflicts: z.optional(z.array(z.string())),
  }),
  durable('node.finished', 1, 'server', 'hidden', { node: NodeId, attempt: z.int(), outcome: z.enum(['done', 'failed']), reason: z.string() }),
  durable('node.noted', 1, 'person', 'hidden', { node: NodeId, notes: z.optional(z.string()), tags: z.optional(z.array(z.string())) }),
  durable('gate.opened', 1, 'server', 'hidden', { node: NodeId, gate: z.int(), why: GateWhy, question: z.string() }),
  durable('gate.decided', 1, 'person', 'hidden', {
    node: NodeId,
    gate: z.int(),
    outcome: GateOutcome,
    to: z.optional(NodeId),
    words: z.optional(z.string()),
  }),
  durable('unrecognised', 1, 'agent', 'item', { raw: z.string(), reason: z.optional(z.string()) }),
] as const;

type AnyDefinition = (typeof EVENTS)[number];

/** A stored event: numbered, timed, flat. */
export type Event = z.infer<AnyDefinition['schema']>;
export type EventType = Event['type'];
export type EventOf<T extends EventType> = Extract<Event, { type: T }>;

/** The events made by one of these. */
export type TypeMadeBy<M extends Maker> = Extract<AnyDefinition, { madeBy: M }>['type'];
/** The events that appear in one of these ways. */
export type TypeShownAs<A extends Appearance> = Extract<AnyDefinition, { transcript: A }>['type'];

type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;
/** An event that has not been numbered yet. */
export type EventBody = DistributiveOmit<Event, 'seq' | 'at'>;
export type EventBodyOf<T extends EventType> = Extract<EventBody, { type: T }>;

export const Event: z.ZodMiniType<Event> = z.discriminatedUnion(
  'type',
  EVENTS.map((definition) => definition.schema) as unknown as [AnyDefinition['schema']],
) as unknown as z.ZodMiniType<Event>;

// Marked as pure below, so that the page, which uses neither, does not include them.
const typesMadeBy = (maker: Maker): ReadonlySet<EventType> => new Set(EVENTS.flatMap(({ type, madeBy }) => (madeBy === maker ? [type] : [])));

/** Events that people made: mirrored to a separate file, because no agent output could restore them. */
export const HUMAN_EVENTS = /* @__PURE__ */ typesMadeBy('person');

/**
 * Not derived from lines, even if a line was the cause: when a status was shown depends on how many lines were read at once,
 * and a line that was lost cannot be read.
 */
export const SERVER_EVENTS = /* @__PURE__ */ typesMadeBy('server');

/** What no agent's output could restore: what people did, what was inherited from an earlier conversation, and what was not read from a line. */
export const isMirrored = (event: Event): boolean =>
  HUMAN_EVENTS.has(event.type) || SERVER_EVENTS.has(event.type) || event.inherited === true || event.src === undefined || event.src.file !== undefined;

/** The stream of the workspace: rules, tokens, and conversations of deleted private sessions. No session can have this id. */
export const WORKSPACE = '_house' as SessionId;
