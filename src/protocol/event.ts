import * as z from 'zod/mini';
import { Actor, Role } from './actor.ts';
import { AgentId, CommandId, ItemId, RequestId, RunId, type SessionId, Sha256, TurnId } from './ids.ts';
import { Remember, Rule, RuleId } from './rule.ts';
import { PermissionMode, SessionOptions, Status, Thinking, ToldCapabilities } from './session.ts';
import { Subject } from './subject.ts';

/** Where in which file the line stood from which an event was read. */
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

/** What one model had to do with it, subagents and the agent's own errands (a compaction) included. */
const ModelSpent = z.object({ model: z.string(), usage: Usage, costUsd: z.optional(z.number()) });
export type ModelSpent = z.infer<typeof ModelSpent>;

/** What a tool did to a file. `patch` is unified-diff hunks; a new file is one hunk that adds every line. */
export const FileChange = z.object({
  kind: z.enum(['create', 'edit', 'delete']),
  path: z.string(),
  patch: z.string(),
});
export type FileChange = z.infer<typeof FileChange>;

/** What a person points at beside a message: a file, lines of it, or a piece of text. */
const PointedAt = z.object({ path: z.optional(z.string()), fromLine: z.optional(z.int()), toLine: z.optional(z.int()), text: z.optional(z.string()) });

const json = z.record(z.string(), z.unknown());

/** What of a live session a person can change. */
export const Setting = z.object({ setting: z.enum(['model', 'mode', 'thinking']), value: z.string() });
export type Setting = z.infer<typeof Setting>;

const envelope = {
  seq: z.int().check(z.positive()),
  at: z.string(),
  /** False when the line came while no server lived and the agent gave no time of its own. */
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
  /** True for what happened before this session began: copied from the one it goes on from, or from the agent's own record. */
  inherited: z.optional(z.boolean()),
  /** True for what happened in another program that went on with the conversation, and was read from the agent's own record. */
  elsewhere: z.optional(z.boolean()),
  /** Fields whose text is only a head, by path (`input.content`); the whole is a blob. */
  blobs: z.optional(z.record(z.string(), BlobRef)),
};

interface Definition<T extends string, S extends z.core.$ZodType> {
  readonly type: T;
  readonly version: number;
  readonly durable: true;
  readonly schema: S;
}

function durable<T extends string, F extends Record<string, z.core.SomeType>>(type: T, version: number, fields: F) {
  // The cast only says what the spread does: a field of the event replaces the one of the envelope.
  const shape = { ...envelope, type: z.literal(type), ...fields } as Omit<typeof envelope, keyof F> & { readonly type: z.ZodMiniLiteral<T> } & F;
  const schema = z.object(shape);
  return { type, version, durable: true, schema } satisfies Definition<T, typeof schema>;
}

const assistantBlock = { messageId: z.string(), index: z.int(), text: z.string(), parentToolUseId: z.optional(z.string()) };

/**
 * resume: goes on with the agent's conversation itself; fork: with a copy of it; both up to the agent's own message `afterMessage`, or the end.
 * handover: a fresh conversation that is told what the old one was about.
 */
export const Origin = z.object({
  kind: z.enum(['resume', 'fork', 'handover']),
  agentSessionId: z.string(),
  afterMessage: z.optional(z.string()),
  /** For a handover: the summary, and how it was come by; `agent` means that the agent is asked for a better one first. */
  summary: z.optional(z.object({ how: z.enum(['compaction', 'agent', 'extract']), text: z.string() })),
});
export type Origin = z.infer<typeof Origin>;

/** Every durable event, once. Adding an optional field keeps the version; anything else raises it and brings an upcaster. */
export const EVENTS = [
  durable('session.created', 1, {
    agent: AgentId,
    cwd: z.string(),
    node: z.string(),
    owner: z.string(),
    title: z.optional(z.string()),
    options: SessionOptions,
    parent: z.optional(z.object({ sessionId: z.string(), seq: z.int() })),
    /** The agent's own conversation that this session goes on from. */
    origin: z.optional(Origin),
    /** Of a past session that somebody took up: its events up to this number are read from the agent's own record; this one is the next. */
    base: z.optional(z.int()),
  }),
  /** `cause` is the type of the event that made it so, `causeSeq` its number. */
  durable('session.status', 1, { status: Status, cause: z.string(), causeSeq: z.optional(z.int()) }),
  /** The decision to give the session a process; `mode` says whether the agent is told to go on with what it knows. */
  durable('run.opened', 1, {
    run: RunId,
    mode: z.enum(['new', 'resume', 'fork']),
    agentSessionId: z.optional(z.string()),
    /** Of a fork: the conversation that is copied. */
    from: z.optional(z.string()),
    /** The agent's own message after which it goes on. */
    afterMessage: z.optional(z.string()),
    reason: z.string(),
  }),
  /** The process answers. */
  durable('run.ready', 1, { run: RunId }),
  /** The decision to end the process, and why; it is over with `session.exited`. */
  durable('run.ending', 1, { run: RunId, reason: z.enum(['sleep', 'stop', 'delete', 'disk', 'stuck', 'handover', 'restart']) }),
  durable('session.started', 1, {
    agentSessionId: z.string(),
    model: z.optional(z.string()),
    tools: z.array(z.string()),
    commands: z.array(z.object({ name: z.string(), description: z.optional(z.string()), argumentHint: z.optional(z.string()) })),
    mcpServers: z.array(z.object({ name: z.string(), status: z.string() })),
    permissionMode: z.optional(z.string()),
    thinking: z.optional(Thinking),
    version: z.optional(z.string()),
    cwd: z.string(),
    /** `resolved` is what the agent says it runs when `value` was asked for. */
    models: z.optional(z.array(z.object({ value: z.string(), title: z.optional(z.string()), resolved: z.optional(z.string()) }))),
    agentCapabilities: z.optional(z.array(z.string())),
  }),
  /** What the agent says it can do, at its start or by doing it; what it did not speak of stays as it was. */
  durable('capabilities.told', 1, { can: ToldCapabilities }),
  durable('session.exited', 1, { run: RunId, code: z.optional(z.nullable(z.int())), signal: z.optional(z.nullable(z.string())), reason: z.string() }),
  durable('input.accepted', 1, {
    commandId: CommandId,
    text: z.string(),
    images: z.optional(z.array(ImageRef)),
    context: z.optional(z.array(PointedAt)),
    mode: z.enum(['queue', 'steer']),
  }),
  durable('input.edited', 1, { commandId: CommandId, text: z.string() }),
  durable('input.moved', 1, { commandId: CommandId, before: z.optional(CommandId) }),
  /** A message that waited is to join the running turn. */
  durable('input.steered', 1, { commandId: CommandId }),
  durable('input.cancelled', 1, { commandId: CommandId, reason: z.string() }),
  durable('input.delivered', 1, { commandId: CommandId, run: RunId }),
  durable('input.consumed', 1, { commandId: CommandId }),
  durable('input.returned', 1, { commandId: CommandId, reason: z.string() }),
  durable('user.message', 1, {
    text: z.string(),
    commandId: z.optional(CommandId),
    images: z.optional(z.array(ImageRef)),
    context: z.optional(z.array(PointedAt)),
    /** person: typed here; agent: written by the agent itself (a notification, a summary); elsewhere: typed in another program. */
    origin: z.enum(['person', 'agent', 'elsewhere']),
    parentToolUseId: z.optional(z.string()),
  }),
  durable('assistant.text', 1, { ...assistantBlock, model: z.optional(z.string()), error: z.optional(z.string()), interrupted: z.optional(z.boolean()) }),
  durable('assistant.thinking', 1, assistantBlock),
  durable('tool.started', 1, {
    toolUseId: z.string(),
    name: z.string(),
    input: json,
    messageId: z.optional(z.string()),
    index: z.optional(z.int()),
    parentToolUseId: z.optional(z.string()),
  }),
  durable('tool.completed', 1, {
    toolUseId: z.string(),
    output: z.string(),
    isError: z.boolean(),
    /** Why it was closed when the agent itself did not close it. */
    closedBy: z.optional(z.string()),
    change: z.optional(FileChange),
    images: z.optional(z.array(ImageRef)),
    parentToolUseId: z.optional(z.string()),
  }),
  durable('permission.requested', 1, {
    requestId: RequestId,
    agentRequestId: z.string(),
    toolUseId: z.optional(z.string()),
    tool: z.string(),
    input: json,
    title: z.optional(z.string()),
    suggestions: z.optional(z.array(json)),
    kind: z.enum(['tool', 'question', 'plan']),
    subagent: z.optional(z.string()),
    subject: z.optional(Subject),
  }),
  durable('permission.resolved', 1, {
    requestId: RequestId,
    outcome: z.enum(['allowed', 'denied', 'cancelled', 'lapsed']),
    behavior: z.optional(z.enum(['allow', 'deny'])),
    message: z.optional(z.string()),
    updatedInput: z.optional(json),
    interrupt: z.optional(z.boolean()),
    /** To a question: what was chosen, by question. */
    answers: z.optional(z.record(z.string(), z.union([z.string(), z.array(z.string())]))),
    /** To a plan: the mode to go on in. */
    mode: z.optional(PermissionMode),
    remember: z.optional(Remember),
    /** The agent's own suggestions that went back to it. */
    granted: z.optional(z.array(json)),
    /** Every rule that together decided it; the actor is the first of them. */
    rules: z.optional(z.array(RuleId)),
    commandId: z.optional(CommandId),
  }),
  durable('interrupt.requested', 1, { commandId: CommandId, turnId: z.optional(TurnId) }),
  /** `cause` is input, or what made the agent begin by itself. */
  durable('turn.started', 1, { turnId: TurnId, cause: z.string(), commandId: z.optional(CommandId) }),
  durable('turn.completed', 1, {
    turnId: TurnId,
    /** The message that the turn worked on. */
    commandId: z.optional(CommandId),
    stopReason: z.string(),
    isError: z.boolean(),
    interrupted: z.boolean(),
    durationMs: z.optional(z.number()),
    costUsd: z.optional(z.number()),
    usage: z.optional(Usage),
    /** What the turn took of each model, where the agent tells it; `usage` may leave out what others than the main thread took. */
    models: z.optional(z.array(ModelSpent)),
    contextTokens: z.optional(z.int()),
    contextWindow: z.optional(z.int()),
    denials: z.int(),
    result: z.optional(z.string()),
    errors: z.optional(z.array(z.string())),
  }),
  /** What one answer of the model cost. Told again of the same message, the later one counts. */
  durable('usage.reported', 1, {
    messageId: z.optional(z.string()),
    model: z.optional(z.string()),
    usage: Usage,
    contextTokens: z.optional(z.int()),
    contextWindow: z.optional(z.int()),
    costUsd: z.optional(z.number()),
  }),
  durable('limit.reported', 1, { status: z.string(), resetsAt: z.optional(z.string()), kind: z.string(), overage: z.optional(json) }),
  durable('context.compacted', 1, {
    preTokens: z.optional(z.int()),
    postTokens: z.optional(z.int()),
    trigger: z.string(),
    failed: z.optional(z.string()),
  }),
  /** The agent's own memory lacks a turn that this transcript shows. */
  durable('context.forgotten', 1, { commandId: CommandId, reason: z.string() }),
  durable('suggestion.offered', 1, { text: z.string() }),
  durable('task.updated', 1, {
    taskId: z.string(),
    toolUseId: z.optional(z.string()),
    /** `subagent`, `command` (one that runs in the background), or the agent's own word. */
    kind: z.string(),
    status: z.string(),
    title: z.optional(z.string()),
    detail: z.optional(z.string()),
    usage: z.optional(json),
  }),
  durable('hook.ran', 1, {
    name: z.string(),
    event: z.string(),
    outcome: z.optional(z.string()),
    exitCode: z.optional(z.int()),
    output: z.optional(z.string()),
  }),
  durable('model.changed', 1, { model: z.string(), reason: z.string() }),
  durable('mode.changed', 1, { mode: z.string(), reason: z.string() }),
  durable('thinking.changed', 1, { thinking: Thinking, reason: z.string() }),
  /** A person wishes it; the agent's own confirmation changes what is shown. Without a process it holds from the next one on. */
  durable('setting.requested', 1, { commandId: CommandId, ...Setting.shape }),
  durable('setting.refused', 1, { commandId: CommandId, ...Setting.shape, reason: z.string() }),
  durable('rewind.requested', 1, { commandId: CommandId, messageSeq: z.int(), messageId: z.string(), dryRun: z.boolean() }),
  durable('files.rewound', 1, {
    commandId: CommandId,
    dryRun: z.boolean(),
    canRewind: z.boolean(),
    files: z.array(z.string()),
    insertions: z.optional(z.int()),
    deletions: z.optional(z.int()),
    problem: z.optional(z.string()),
  }),
  /** Another program was seen to hold the agent's session; nothing of ours may write to it. */
  durable('driver.found', 1, { pid: z.int(), since: z.optional(z.string()), what: z.optional(z.string()) }),
  durable('driver.gone', 1, { pid: z.int(), reason: z.string() }),
  durable('takeover.requested', 1, { commandId: CommandId, pid: z.int() }),
  /** It will go on by itself at that time, once. */
  durable('continuation.scheduled', 1, { commandId: CommandId, resumesAt: z.string(), text: z.string() }),
  durable('continuation.ended', 1, { outcome: z.enum(['sent', 'cancelled']), reason: z.string() }),
  /** What the fresh conversation is told of the old one. */
  durable('handover.ready', 1, { how: z.enum(['compaction', 'agent', 'extract']), text: z.string() }),
  durable('retry.reported', 1, { attempt: z.int(), maxAttempts: z.optional(z.int()), delayMs: z.optional(z.number()), error: z.string() }),
  durable('notice.shown', 1, { level: z.enum(['info', 'warning', 'error']), text: z.string() }),
  durable('output.lost', 1, { fromByte: z.int(), reason: z.string() }),
  durable('meta.changed', 1, {
    title: z.optional(z.string()),
    tags: z.optional(z.array(z.string())),
    star: z.optional(z.boolean()),
    note: z.optional(z.nullable(z.string())),
    archived: z.optional(z.boolean()),
    closed: z.optional(z.boolean()),
  }),
  /** What a person notes on one item: `target` is an event of it, `item` its key in the transcript, which outlives a new numbering. */
  durable('item.marked', 1, {
    target: z.int().check(z.positive()),
    item: z.string(),
    star: z.optional(z.boolean()),
    tags: z.optional(z.array(z.string())),
    note: z.optional(z.nullable(z.string())),
  }),
  durable('session.deleted', 1, {}),
  durable('rule.created', 1, { rule: Rule }),
  durable('rule.revoked', 1, { ruleId: RuleId, reason: z.string() }),
  durable('token.added', 1, { name: z.string(), role: Role }),
  durable('token.revoked', 1, { name: z.string() }),
  /** Of a closed session that was deleted: the agent still has these on disk, and they stay closed to all but its owner. */
  durable('conversations.closed', 1, { ownerId: z.string(), agentSessionIds: z.array(z.string()) }),
  durable('unrecognised', 1, { raw: z.string(), reason: z.optional(z.string()) }),
] as const;

type AnyDefinition = (typeof EVENTS)[number];

/** A stored event: numbered, timed, flat. */
export type Event = z.infer<AnyDefinition['schema']>;
export type EventType = Event['type'];
export type EventOf<T extends EventType> = Extract<Event, { type: T }>;

type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;
/** An event that has not been numbered yet. */
export type EventBody = DistributiveOmit<Event, 'seq' | 'at'>;
export type EventBodyOf<T extends EventType> = Extract<EventBody, { type: T }>;

export const Event: z.ZodMiniType<Event> = z.discriminatedUnion(
  'type',
  EVENTS.map((definition) => definition.schema) as unknown as [AnyDefinition['schema']],
) as unknown as z.ZodMiniType<Event>;

/** Events that people made: mirrored to a file of their own, because no agent output could bring them back. */
export const HUMAN_EVENTS: ReadonlySet<EventType> = new Set<EventType>([
  'session.created',
  'run.opened',
  'run.ending',
  'interrupt.requested',
  'input.accepted',
  'input.edited',
  'input.moved',
  'input.steered',
  'input.cancelled',
  'input.delivered',
  'input.returned',
  'permission.resolved',
  'meta.changed',
  'item.marked',
  'setting.requested',
  'rewind.requested',
  'takeover.requested',
  'continuation.scheduled',
  'continuation.ended',
  'handover.ready',
  'rule.created',
  'rule.revoked',
  'token.added',
  'token.revoked',
  'conversations.closed',
  'session.deleted',
]);

/**
 * Told beside the lines, also when a line was the occasion: when a status was shown depends on how many lines were read at once,
 * and a line that was lost cannot be read.
 */
export const BESIDE_THE_LINES: ReadonlySet<EventType> = new Set<EventType>(['session.status', 'output.lost']);

/** What no agent's output could bring back: what people did, what was taken over from an earlier conversation, and what was not read in a line. */
export const isMirrored = (event: Event): boolean =>
  HUMAN_EVENTS.has(event.type) || BESIDE_THE_LINES.has(event.type) || event.inherited === true || event.src === undefined || event.src.file !== undefined;

/** The stream of what belongs to no session: rules, tokens, and what deleted sessions leave closed. No session may have this id. */
export const HOUSE = '_house' as SessionId;
