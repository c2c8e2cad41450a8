import * as z from 'zod/mini';
import { CommandId, RequestId, SessionId, Sha256 } from './ids.ts';
import { LIMITS } from './limits.ts';
import { PermissionMode } from './session.ts';

export const AnnotationId = z
  .string()
  .check(z.regex(/^[A-Za-z0-9_-]{1,64}$/, 'an annotation id is 1 to 64 letters, digits, "_" or "-"'))
  .brand<'AnnotationId'>();
export type AnnotationId = z.infer<typeof AnnotationId>;

export const ReviewId = z
  .string()
  .check(z.regex(/^[A-Za-z0-9_-]{1,64}$/, 'a review id is 1 to 64 letters, digits, "_" or "-"'))
  .brand<'ReviewId'>();
export type ReviewId = z.infer<typeof ReviewId>;

const line = z.int().check(z.minimum(1));
const offset = z.int().check(z.minimum(0));

export const ConversationTarget = z.object({
  type: z.literal('conversation'),
  sessionId: SessionId,
  /** The agent's own id of the message where it has one, else the id of the item. */
  messageId: z.string().check(z.minLength(1), z.maxLength(300)),
  offsetStart: z.optional(offset),
  offsetEnd: z.optional(offset),
});

/** What a comment is about. Lines count from 1; offsets count UTF-16 units of the item's source text, never of what is drawn. */
export const Target = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('code'),
    /** Absolute, or relative to the session's folder; stored as absolute. */
    file: z.string().check(z.minLength(1), z.maxLength(4096)),
    lineStart: line,
    lineEnd: z.optional(line),
    side: z.optional(z.enum(['old', 'new'])),
  }),
  ConversationTarget,
  z.object({
    type: z.literal('tool-call'),
    sessionId: SessionId,
    toolUseId: z.string().check(z.minLength(1), z.maxLength(300)),
    /** The argument it is about, such as `command`. */
    field: z.optional(z.string().check(z.maxLength(200))),
    offsetStart: z.optional(offset),
    offsetEnd: z.optional(offset),
  }),
]);
export type Target = z.infer<typeof Target>;
export type TargetOf<T extends Target['type']> = Extract<Target, { type: T }>;

export const AnnotationKind = z.enum(['action', 'question', 'praise', 'note']);
export type AnnotationKind = z.infer<typeof AnnotationKind>;

/** What the comment was made on, so that its place can be found again. */
export const Anchor = z.object({
  quote: z.string(),
  /** Of a message or a call: its event. */
  seq: z.optional(z.int()),
  /** Of a message: the lines of it that the quote covers. */
  lines: z.optional(z.tuple([z.int(), z.int()])),
  /** Of code: up to three lines before and after the quote. */
  before: z.optional(z.array(z.string())),
  after: z.optional(z.array(z.string())),
  /** Of code: the file as it was. */
  file: z.optional(Sha256),
});
export type Anchor = z.infer<typeof Anchor>;

const comment = z
  .string()
  .check(z.minLength(1, 'the comment is empty'), z.maxLength(LIMITS.commentChars, `a comment can have at most ${LIMITS.commentChars} characters`));
const suggestion = z.string().check(z.maxLength(LIMITS.commentChars, `a suggestion can have at most ${LIMITS.commentChars} characters`));

/** What a person writes about a target. */
export const AnnotationBody = z.object({ kind: AnnotationKind, text: comment, suggestion: z.optional(suggestion) });
export const AnnotationChange = z.object({ kind: z.optional(AnnotationKind), text: z.optional(comment), suggestion: z.optional(suggestion) });

/** One annotation in a review, as its recipient's stream names it: enough to see what the agent did about it. */
export const ReviewItem = z.object({
  sessionId: SessionId,
  annotationId: AnnotationId,
  label: z.string(),
  kind: AnnotationKind,
  /** Of code: where it is now, with the start of the lines. An edit that overlaps these lines answers it. */
  place: z.optional(z.object({ file: z.string(), from: line, to: line, quote: z.optional(z.string()) })),
});
export type ReviewItem = z.infer<typeof ReviewItem>;

/** The waiting plan that a review answers: `deny` sends the plan back with the review, `allow` approves it and queues the review. */
export const PlanAnswer = z.object({ requestId: RequestId, behavior: z.enum(['allow', 'deny']), mode: z.optional(PermissionMode) });
export type PlanAnswer = z.infer<typeof PlanAnswer>;

/** One recipient of a review: the exact document it gets. */
export const ReviewDelivery = z.object({
  sessionId: SessionId,
  commandId: CommandId,
  text: z.string(),
  items: z.array(ReviewItem),
  answer: z.optional(PlanAnswer),
});
export type ReviewDelivery = z.infer<typeof ReviewDelivery>;

export const SettleOutcome = z.enum(['verified', 'dropped', 'reopened']);
