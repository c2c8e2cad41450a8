import * as z from 'zod/mini';
import { Actor } from '../actor.ts';
import {
  Anchor,
  AnnotationBody,
  AnnotationChange,
  AnnotationId,
  AnnotationKind,
  ConversationTarget,
  PlanAnswer,
  ReviewId,
  SettleOutcome,
  Target,
} from '../annotation.ts';
import { CommandId, SessionId } from '../ids.ts';

export const AnnotationState = z.enum(['draft', 'sent', 'answered', 'skipped', 'settled']);
export type AnnotationState = z.infer<typeof AnnotationState>;

/** A comment with its place now and what was done about it. */
export const Annotation = z.object({
  annotationId: AnnotationId,
  sessionId: SessionId,
  seq: z.int(),
  at: z.string(),
  by: z.optional(Actor),
  target: Target,
  anchor: z.optional(Anchor),
  ...AnnotationBody.shape,
  state: AnnotationState,
  /** Of code: where the quoted lines are now. */
  place: z.optional(z.object({ from: z.int(), to: z.int() })),
  /** Of code: the quoted lines can't be found in today's file. */
  orphaned: z.optional(z.boolean()),
  sent: z.optional(z.object({ reviewId: ReviewId, label: z.string(), to: z.string(), seq: z.int() })),
  /** The evidence: `evidenceSeq` is an event of the session that got the review. */
  answered: z.optional(z.object({ how: z.enum(['edit', 'words', 'tool']), seq: z.int(), evidenceSeq: z.optional(z.int()), text: z.optional(z.string()) })),
  settled: z.optional(z.object({ outcome: z.enum(['verified', 'dropped']), note: z.optional(z.string()), seq: z.int(), by: z.optional(Actor) })),
});
export type Annotation = z.infer<typeof Annotation>;

export const AnnotationList = z.object({ annotations: z.array(Annotation) });
export const AnnotationQuery = z.object({
  session: z.optional(SessionId),
  state: z.optional(AnnotationState),
  kind: z.optional(AnnotationKind),
  file: z.optional(z.string()),
});

/** A message can be named by the event alone. */
export const NewTarget = z.union([Target, z.object({ ...ConversationTarget.shape, messageId: z.optional(ConversationTarget.shape.messageId) })]);
export type NewTarget = z.infer<typeof NewTarget>;

/** `seq` names the event of a message or a call directly. `quote` is what the person saw: if it is no longer there, nothing is stored. */
export const MakeAnnotationBody = z.object({
  sessionId: SessionId,
  target: NewTarget,
  ...AnnotationBody.shape,
  quote: z.optional(z.string().check(z.maxLength(65_536))),
  seq: z.optional(z.int().check(z.positive())),
  annotationId: z.optional(AnnotationId),
  commandId: z.optional(CommandId),
});
export const EditAnnotationBody = z.object({ ...AnnotationChange.shape, commandId: z.optional(CommandId) });
export const SettleBody = z.object({ outcome: SettleOutcome, note: z.optional(z.string().check(z.maxLength(4096))), commandId: z.optional(CommandId) });

/** With `answer`, the review answers a plan of that session that waits for a person. */
const Recipient = z.object({ sessionId: SessionId, annotationIds: z.optional(z.array(AnnotationId)), answer: z.optional(PlanAnswer) });
export const ReviewBody = z.object({
  annotationIds: z.array(AnnotationId).check(z.minLength(1, 'choose at least one comment')),
  to: z.array(Recipient).check(z.minLength(1, 'name at least one session'), z.maxLength(20)),
});
export type ReviewBody = z.infer<typeof ReviewBody>;
export const SendReviewBody = z.object({ ...ReviewBody.shape, commandId: CommandId });

const Counts = z.object({ actions: z.int(), questions: z.int(), files: z.int(), conversation: z.int(), sessions: z.int() });
/** The exact text for each recipient. */
export const ReviewPreview = z.object({
  messages: z.array(z.object({ sessionId: SessionId, text: z.string(), bytes: z.int(), annotationIds: z.array(AnnotationId), counts: Counts })),
});
export const ReviewAccepted = z.object({ reviewId: ReviewId, to: z.array(SessionId) });
export const ReviewNow = z.object({
  reviewId: ReviewId,
  to: z.array(
    z.object({
      sessionId: SessionId,
      state: z.enum(['sending', 'refused', 'waiting', 'ended']),
      message: z.optional(z.string()),
      annotations: z.array(Annotation),
    }),
  ),
});
export type ReviewNow = z.infer<typeof ReviewNow>;
