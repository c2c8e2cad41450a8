import * as z from 'zod/mini';
import { Role } from './actor.ts';
import {
  Anchor,
  AnnotationBody,
  AnnotationChange,
  AnnotationId,
  PlanAnswer,
  ReviewDelivery,
  ReviewId,
  ReviewItem,
  SettleOutcome,
  Target,
} from './annotation.ts';
import { EventPattern, ShareId, WebhookId } from './api/outside/outside.ts';
import { ProjectScripts, WorktreeWish } from './api/worktree.ts';
import { HookEvent, Origin } from './event.ts';
import { GitOutcome, LongAct, NotedEntry, PrCheck, PrComment, PrState } from './git.ts';
import { AgentId, CommandId, RequestId, RunId, ScriptId, SessionId, Sha256 } from './ids.ts';
import { LIMITS } from './limits.ts';
import { Remember, RuleBody, RuleId, RuleScope } from './rule.ts';
import { AnyMode, PermissionMode, SessionOptions, Thinking } from './session.ts';
import { Subject } from './subject.ts';
import { noNul, notBlank } from './text.ts';

const base64Chars = Math.ceil(LIMITS.imageBytes / 3) * 4;

export const ImageInput = z.object({
  mediaType: z.enum(['image/png', 'image/jpeg', 'image/gif', 'image/webp']),
  base64: z.string().check(z.maxLength(base64Chars, `an image can have at most ${LIMITS.imageBytes} bytes`)),
});
export type ImageInput = z.infer<typeof ImageInput>;

export const MessageText = z
  .string()
  .check(notBlank('the message'), noNul('the message'), z.maxLength(LIMITS.messageTextBytes, `a message can have at most ${LIMITS.messageTextBytes} bytes`));
export const MessageImages = z.array(ImageInput).check(z.maxLength(LIMITS.imagesPerMessage, `a message can have at most ${LIMITS.imagesPerMessage} images`));
export const InputMode = z.enum(['queue', 'steer']);

/** Something a person points at in addition to the message: a file, lines of it, or a piece of text. */
export const ContextItem = z.object({
  path: z.optional(z.string().check(z.maxLength(4096))),
  fromLine: z.optional(z.int().check(z.positive())),
  toLine: z.optional(z.int().check(z.positive())),
  text: z.optional(z.string().check(noNul('the context'), z.maxLength(LIMITS.inlineBytes))),
});
export type ContextItem = z.infer<typeof ContextItem>;

export const InputBody = z.object({
  text: MessageText,
  images: z.optional(MessageImages),
  context: z.optional(z.array(ContextItem).check(z.maxLength(LIMITS.contextItems))),
  mode: z.optional(InputMode),
  /** Also resume the queue, if it is paused. */
  resume: z.optional(z.boolean()),
});

const AnswerText = z.string().check(noNul('the answer'));

export const AnswerBody = z.object({
  behavior: z.enum(['allow', 'deny']),
  updatedInput: z.optional(z.record(z.string(), z.unknown())),
  message: z.optional(z.string().check(noNul('the reason'), z.maxLength(LIMITS.inlineBytes))),
  interrupt: z.optional(z.boolean()),
  /** For a question: the chosen label, or several, or a person's own words, by question. */
  answers: z.optional(z.record(z.string(), z.union([AnswerText, z.array(AnswerText)]))),
  /** For a plan: the mode to continue in. */
  mode: z.optional(PermissionMode),
  remember: z.optional(Remember),
});

export const MetaBody = z.object({
  title: z.optional(z.string().check(notBlank('the title'), noNul('the title'), z.maxLength(LIMITS.titleChars))),
  tags: z.optional(z.array(z.string().check(noNul('a tag'), z.maxLength(64))).check(z.maxLength(32))),
  star: z.optional(z.boolean()),
  note: z.optional(z.nullable(z.string().check(noNul('the note'), z.maxLength(LIMITS.inlineBytes)))),
  archived: z.optional(z.boolean()),
  /** Private: only its creator and owners can see it. */
  closed: z.optional(z.boolean()),
  /** Whenever the agent starts, it is told about open comments. */
  giveComments: z.optional(z.boolean()),
});

/** A person's marks on one item of a transcript; null removes the note. */
export const ItemMarkBody = z.object({ star: MetaBody.shape.star, tags: MetaBody.shape.tags, note: MetaBody.shape.note });

/** The conversation that a new session continues, as requested; the engine finds it and turns it into the origin. */
export const ContinueFrom = z.object({
  how: z.enum(['resume', 'fork', 'handover']),
  /** A session of ours. */
  sessionId: z.optional(SessionId),
  /** Or the agent's own session id, or `latest` for the newest of the folder. */
  agentSessionId: z.optional(z.string().check(z.minLength(1), z.maxLength(200))),
  /** The event of the session of ours after which to continue; without it, the end. */
  at: z.optional(z.int().check(z.positive())),
  /** For a handover: where the summary comes from; without it, the best available. */
  summary: z.optional(z.enum(['compaction', 'agent', 'extract'])),
  /** To resume: adopt the listed past session under its own id, which the receipt names, instead of creating a new session with a copy. */
  takeUp: z.optional(z.boolean()),
});
export type ContinueFrom = z.infer<typeof ContinueFrom>;

const RevertPaths = z.array(z.string().check(z.minLength(1), z.maxLength(4096))).check(z.maxLength(LIMITS.revertPaths));

/** Where files go back to: the event, and which files; without paths, all that the session changed since. */
export const RevertTo = z.object({
  to: z.int().check(z.positive()),
  paths: z.optional(RevertPaths),
  /** Files that are restored although somebody else changed them. */
  force: z.optional(RevertPaths),
});
export type RevertTo = z.infer<typeof RevertTo>;

const onSession = { commandId: CommandId, sessionId: SessionId };

/** What people (and rules, plans, programs) can ask for. Each is executed once, however often it is sent. */
export const Command = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('session.create'),
    ...onSession,
    agent: AgentId,
    cwd: z.string(),
    options: SessionOptions,
    title: z.optional(z.string().check(noNul('the title'), z.maxLength(LIMITS.titleChars))),
    prompt: z.optional(MessageText),
    images: z.optional(MessageImages),
    goOn: z.optional(ContinueFrom),
    origin: z.optional(Origin),
    /** The session and the event from which it continues. */
    parent: z.optional(z.object({ sessionId: SessionId, seq: z.int() })),
    /** The session whose agent starts this one. */
    startedBy: z.optional(SessionId),
    /** Work in a new worktree of the folder's repository. */
    worktree: z.optional(WorktreeWish),
    /** Continue although another program has the conversation open: that program is ended first. */
    takeover: z.optional(z.boolean()),
  }),
  z.object({ type: z.literal('input.send'), ...onSession, ...InputBody.shape }),
  z.object({ type: z.literal('input.cancel'), ...onSession, target: CommandId }),
  z.object({ type: z.literal('input.edit'), ...onSession, target: CommandId, text: MessageText }),
  /** Before another queued message, or to the end. */
  z.object({ type: z.literal('input.move'), ...onSession, target: CommandId, before: z.optional(CommandId) }),
  /** Let a queued message join the running turn. */
  z.object({ type: z.literal('input.steer'), ...onSession, target: CommandId }),
  /** Hold back what is queued, continue with it, or cancel all of it. */
  z.object({ type: z.literal('queue.pause'), ...onSession }),
  z.object({ type: z.literal('queue.resume'), ...onSession }),
  z.object({ type: z.literal('queue.clear'), ...onSession }),
  z.object({ type: z.literal('turn.interrupt'), ...onSession }),
  z.object({ type: z.literal('session.stop'), ...onSession }),
  z.object({ type: z.literal('session.sleep'), ...onSession }),
  z.object({ type: z.literal('session.wake'), ...onSession }),
  z.object({ type: z.literal('session.delete'), ...onSession }),
  z.object({ type: z.literal('session.describe'), ...onSession, ...MetaBody.shape }),
  /** `item` is the key in the transcript of the item to which the event `seq` belongs. */
  z.object({ type: z.literal('item.mark'), ...onSession, seq: z.int().check(z.positive()), item: z.string(), ...ItemMarkBody.shape }),
  z.object({ type: z.literal('permission.answer'), ...onSession, requestId: RequestId, ...AnswerBody.shape }),
  z.object({ type: z.literal('model.set'), ...onSession, model: z.string().check(z.minLength(1), z.maxLength(200)) }),
  z.object({ type: z.literal('mode.set'), ...onSession, mode: AnyMode }),
  z.object({ type: z.literal('thinking.set'), ...onSession, thinking: Thinking }),
  z.object({ type: z.literal('files.rewind'), ...onSession, seq: z.int().check(z.positive()), dryRun: z.boolean() }),
  /** Restore files from the checkpoint at or before the event `to`. */
  z.object({ type: z.literal('files.revert'), ...onSession, ...RevertTo.shape }),
  /** Make checkpoints of this folder again, after a bound was exceeded. */
  z.object({ type: z.literal('checkpoints.enable'), ...onSession }),
  z.object({ type: z.literal('session.takeover'), ...onSession }),
  /** Resume at that time, or when the active limit resets. */
  z.object({ type: z.literal('continuation.schedule'), ...onSession, at: z.optional(z.iso.datetime()), text: z.optional(MessageText) }),
  z.object({ type: z.literal('continuation.cancel'), ...onSession }),
  z.object({
    type: z.literal('annotation.make'),
    ...onSession,
    annotationId: AnnotationId,
    target: Target,
    anchor: z.optional(Anchor),
    /** Of code: the file as it is now, to find the place again later. */
    fileText: z.optional(z.string()),
    ...AnnotationBody.shape,
  }),
  z.object({ type: z.literal('annotation.edit'), ...onSession, annotationId: AnnotationId, ...AnnotationChange.shape }),
  z.object({ type: z.literal('annotation.withdraw'), ...onSession, annotationId: AnnotationId }),
  z.object({ type: z.literal('annotation.settle'), ...onSession, annotationId: AnnotationId, outcome: SettleOutcome, note: z.optional(z.string()) }),
  /** What the agent itself says about a comment of a review that it is working on. */
  z.object({ type: z.literal('annotation.answer'), ...onSession, label: z.string(), text: z.string() }),
  /** Sends a review's document to this session as one message, or as the answer to a plan that waits for one. */
  z.object({
    type: z.literal('review.send'),
    ...onSession,
    reviewId: ReviewId,
    text: MessageText,
    items: z.array(ReviewItem),
    answer: z.optional(PlanAnswer),
  }),
  /** Marks annotations made here as part of a review that another session got. */
  z.object({ type: z.literal('review.mark'), ...onSession, reviewId: ReviewId, items: z.array(ReviewItem), to: SessionId }),
  /** The agent of a run calls one of our tools over HTTP. */
  z.object({ type: z.literal('tool.ask'), ...onSession, run: RunId, askId: z.string(), tool: z.string(), input: z.record(z.string(), z.unknown()) }),
  /** A call of a tool needs a person's decision first. */
  z.object({ type: z.literal('tool.question'), ...onSession, askId: z.string(), question: z.string(), options: z.array(z.string()) }),
  z.object({
    type: z.literal('tool.answer'),
    ...onSession,
    askId: z.string(),
    outcome: z.enum(['answered', 'refused']),
    text: z.string(),
    code: z.optional(z.string()),
  }),
  /** The agent tried what only people may do: it is kept for the audit. */
  z.object({ type: z.literal('agent.refuse'), ...onSession, run: RunId, what: z.string() }),
  /** An agent in a terminal reports through its hooks. */
  z.object({
    type: z.literal('hook.ask'),
    ...onSession,
    askId: z.string(),
    tool: z.string(),
    input: z.record(z.string(), z.unknown()),
    kind: z.enum(['tool', 'question', 'plan']),
    subject: z.optional(Subject),
    suggestions: z.optional(z.array(z.record(z.string(), z.unknown()))),
  }),
  /** The terminal answered: one request, by its id. */
  z.object({ type: z.literal('hook.settle'), ...onSession, askId: z.string(), reason: z.string(), lapsed: z.optional(z.boolean()) }),
  z.object({ type: z.literal('hook.report'), ...onSession, event: HookEvent, text: z.optional(z.string()) }),
  /** Lend the next queued message to a program that polls for it, and note that it has arrived. */
  z.object({ type: z.literal('input.lease'), ...onSession }),
  z.object({ type: z.literal('input.acknowledge'), ...onSession, target: CommandId }),
  /** The git commands report what the server did for a person, or found; nobody can send them as such. */
  z.object({ type: z.literal('git.note'), ...onSession, entries: z.array(NotedEntry) }),
  z.object({ type: z.literal('git.trust'), ...onSession, sha256: Sha256, names: z.array(z.string()) }),
  z.object({
    type: z.literal('git.start'),
    ...onSession,
    act: LongAct,
    /** What runs, as it is, without a shell; `env` adds to the server's environment. */
    script: z.object({ scriptId: ScriptId, command: z.string(), argv: z.array(z.string()), cwd: z.string(), env: z.record(z.string(), z.string()) }),
    head: z.optional(z.string()),
    remote: z.optional(z.string()),
    branch: z.optional(z.string()),
  }),
  /** `target` is the command that asked for the act. */
  z.object({ type: z.literal('git.record'), ...onSession, target: CommandId, ...GitOutcome.shape }),
  z.object({ type: z.literal('pr.link'), ...onSession, host: z.string(), url: z.string(), number: z.int() }),
  z.object({ type: z.literal('pr.update'), ...onSession, url: z.string(), state: PrState, checks: z.array(PrCheck), comments: z.array(PrComment) }),
  /** Dismiss a card about the pull request; with `send`, as a message to the agent. */
  z.object({ type: z.literal('pr.dismiss'), ...onSession, card: z.string().check(z.maxLength(300)), send: z.boolean() }),
]);

/** What people ask of the workspace rather than of a session. */
export const WorkspaceCommand = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('rule.create'),
    commandId: CommandId,
    ruleId: RuleId,
    rule: RuleBody,
    /** The rule that is revoked at the same time. */
    replaces: z.optional(RuleId),
    fromRequest: z.optional(RequestId),
  }),
  /** Continue at the reset of a usage limit, or don't, or let the wider preference decide. */
  z.object({ type: z.literal('continuation.prefer'), commandId: CommandId, scope: RuleScope, choice: z.enum(['on', 'off', 'unset']) }),
  z.object({ type: z.literal('rule.revoke'), commandId: CommandId, ruleId: RuleId, reason: z.optional(z.string()) }),
  /** Tokens themselves are in a separate file; the journal stores that they were created and revoked. */
  z.object({ type: z.literal('token.add'), commandId: CommandId, name: z.string(), role: Role }),
  z.object({ type: z.literal('token.revoke'), commandId: CommandId, name: z.string() }),
  z.object({ type: z.literal('review.request'), commandId: CommandId, reviewId: ReviewId, to: z.array(ReviewDelivery) }),
  /** An owner accepts exactly these scripts of a repository. */
  z.object({ type: z.literal('scripts.trust'), commandId: CommandId, repo: z.string(), sha256: Sha256, scripts: ProjectScripts }),
  z.object({ type: z.literal('scripts.set'), commandId: CommandId, repo: z.string(), scripts: ProjectScripts }),
  z.object({ type: z.literal('webhook.add'), commandId: CommandId, webhookId: WebhookId, url: z.string(), events: z.array(EventPattern) }),
  z.object({ type: z.literal('webhook.remove'), commandId: CommandId, webhookId: WebhookId }),
  z.object({ type: z.literal('share.create'), commandId: CommandId, shareId: ShareId, sharedSession: SessionId, expiresAt: z.string() }),
  z.object({ type: z.literal('share.revoke'), commandId: CommandId, shareId: ShareId }),
  /** Noted by the server itself: somebody tried what their role does not allow. */
  z.object({ type: z.literal('act.refuse'), commandId: CommandId, act: z.string(), role: z.string(), target: z.optional(z.string()) }),
]);
export type WorkspaceCommand = z.infer<typeof WorkspaceCommand>;
export type WorkspaceCommandOf<T extends WorkspaceCommand['type']> = Extract<WorkspaceCommand, { type: T }>;

export type Command = z.infer<typeof Command>;
export type CommandOf<T extends Command['type']> = Extract<Command, { type: T }>;

/** Proof that a command is durable. `seq` is the first event it caused, or the last one if it caused none. */
export interface Receipt {
  readonly commandId: CommandId;
  readonly sessionId: SessionId;
  readonly seq: number;
  readonly queued?: boolean;
}

export const REFUSAL_CODES = [
  'bad-request',
  'not-found',
  'conflict',
  'too-many-live',
  'too-large',
  'out-of-range',
  'queue-full',
  'agent-unavailable',
  'not-allowed-folder',
  'not-permitted',
  'already-answered',
  'nothing-to-interrupt',
  'disk-low',
  'session-deleted',
  'driven-elsewhere',
  'cannot-resume',
  'not-supported',
  'shutting-down',
  /** The session is on another machine that can't be reached now. Nothing was changed. */
  'owner-away',
  /** It was sent to another machine that did not answer: the same command id again is safe. */
  'unknown-outcome',
] as const;

/** An expected "no", with a message that says what to do. */
export interface Refusal {
  readonly refused: (typeof REFUSAL_CODES)[number];
  readonly message: string;
  /** What exactly is in the way, for programs. */
  readonly details?: unknown;
}

export const isRefusal = (value: object): value is Refusal => 'refused' in value;
