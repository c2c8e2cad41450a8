import type { CommandOf, Refusal } from '../../protocol/command.ts';
import type { BlobRef } from '../../protocol/event.ts';
import { LIMITS } from '../../protocol/limits.ts';
import { answer } from '../permission/answer.ts';
import type { Draft } from '../session/draft.ts';
import { type AnnotationStage, NO_ANNOTATIONS } from './state.ts';

/** A snapshot lists every annotation, so there is a limit. Nobody reaches it by hand. */
const MOST = 10_000;

export function makeAnnotation(draft: Draft, command: CommandOf<'annotation.make'>, file: BlobRef | undefined): Refusal | undefined {
  const { annotationId, target, kind, text, suggestion, anchor } = command;
  const { made } = draft.state.annotations ?? NO_ANNOTATIONS;
  if (made[annotationId] !== undefined) return { refused: 'conflict', message: `There is already an annotation ${annotationId}. Choose another id.` };
  if (Object.keys(made).length >= MOST) return { refused: 'too-large', message: `A session can have at most ${MOST} annotations. Settle or withdraw some.` };
  draft.emit({
    type: 'annotation.made',
    annotationId,
    target,
    kind,
    text,
    ...(suggestion !== undefined && { suggestion }),
    ...(anchor !== undefined && { anchor: { ...anchor, ...(file !== undefined && { file: file.sha256 }) } }),
    ...(file !== undefined && { blobs: { 'anchor.file': file } }),
  });
  return undefined;
}

export function editAnnotation(draft: Draft, { annotationId, kind, text, suggestion }: CommandOf<'annotation.edit'>): Refusal | undefined {
  const refusal = onlyPeople(draft) ?? notDraft(draft, annotationId);
  if (refusal !== undefined) return refusal;
  draft.emit({
    type: 'annotation.edited',
    annotationId,
    ...(kind !== undefined && { kind }),
    ...(text !== undefined && { text }),
    ...(suggestion !== undefined && { suggestion }),
  });
  return undefined;
}

export function withdrawAnnotation(draft: Draft, { annotationId }: CommandOf<'annotation.withdraw'>): Refusal | undefined {
  const refusal = onlyPeople(draft) ?? notDraft(draft, annotationId);
  if (refusal === undefined) draft.emit({ type: 'annotation.withdrawn', annotationId });
  return refusal;
}

export function settleAnnotation(draft: Draft, { annotationId, outcome, note }: CommandOf<'annotation.settle'>): Refusal | undefined {
  const refusal = onlyPeople(draft);
  if (refusal !== undefined) return refusal;
  const stage = stageOf(draft, annotationId);
  if (stage === undefined) return unknown(draft, annotationId);
  if (stage === 'draft') return { refused: 'conflict', message: 'This comment has not been sent yet. Send it, or withdraw it.' };
  if ((stage === 'settled') !== (outcome === 'reopened'))
    return { refused: 'conflict', message: stage === 'settled' ? 'This comment is already settled. Reopen it first.' : 'This comment is open already.' };
  draft.emit({ type: 'annotation.settled', annotationId, outcome, ...(note !== undefined && { note }) });
  return undefined;
}

/** An agent answers a comment of a review that it has taken. It never settles one. */
export function answerAnnotation(draft: Draft, { label, text }: CommandOf<'annotation.answer'>): Refusal | undefined {
  const open = (draft.state.annotations?.reviews ?? []).filter(({ isTaken }) => isTaken);
  const review = open.findLast(({ items }) => items.some((item) => item.label === label));
  const item = review?.items.find((one) => one.label === label);
  if (review === undefined || item === undefined) {
    const labels = open.flatMap(({ items }) => items.map((one) => one.label));
    const known = labels.length === 0 ? 'There is no review to answer now.' : `There are: ${labels.join(', ')}.`;
    return { refused: 'not-found', message: `There is no open comment ${label}. ${known}` };
  }
  draft.emit({ type: 'annotation.answered', annotationId: item.annotationId, reviewId: review.reviewId, how: 'tool', text });
  return undefined;
}

const onlyPeople = (draft: Draft): Refusal | undefined =>
  draft.now.actor?.kind === 'agent' ? { refused: 'not-permitted', message: 'Only people can change, withdraw or settle comments.' } : undefined;

/** Why a review can't be sent here. */
export function refusedReview(draft: Draft, { items }: CommandOf<'review.send' | 'review.mark'>): Refusal | undefined {
  for (const { sessionId, annotationId } of items) {
    if (sessionId !== draft.state.id) continue;
    const stage = stageOf(draft, annotationId);
    if (stage === undefined) return unknown(draft, annotationId);
    if (stage === 'settled') return { refused: 'conflict', message: `Comment ${annotationId} is settled. Reopen it to send it again.` };
  }
  return undefined;
}

/** The review is on its way to this session: what was made here is marked as sent in the same transaction. */
export function noteReview(draft: Draft, command: CommandOf<'review.send'>): void {
  const { reviewId, items, commandId, answer } = command;
  const requestId = isWholeAnswer(command) ? answer?.requestId : undefined;
  draft.emit({ type: 'review.sent', reviewId, commandIds: [commandId], annotations: [...items], ...(requestId !== undefined && { requestId }) });
  markSent(draft, { reviewId, items, to: draft.state.id });
}

/** Whether the document itself is the answer to the plan, so that no message follows. */
export const isWholeAnswer = ({ answer, text }: CommandOf<'review.send'>): boolean =>
  answer?.behavior === 'deny' && Buffer.byteLength(text) <= LIMITS.inlineBytes;

/** Answers the plan that the review is about. A document that is too long for an answer follows as a message. */
export function answerPlan(draft: Draft, command: CommandOf<'review.send'>): Refusal | undefined {
  const { answer: plan, sessionId, commandId, text } = command;
  if (plan === undefined) return undefined;
  const open = draft.state.permissions.find(({ requestId }) => requestId === plan.requestId);
  if (open !== undefined && open.asked.kind !== 'plan') return { refused: 'bad-request', message: 'A review can only answer a plan.' };
  const message = plan.behavior === 'allow' ? {} : { message: isWholeAnswer(command) ? text : IN_NEXT_MESSAGE };
  return answer(draft, { type: 'permission.answer', commandId, sessionId, ...plan, ...message });
}

const IN_NEXT_MESSAGE = 'Change the plan. The comments are too long for this answer: see the next message.';

export function markReviewed(draft: Draft, command: CommandOf<'review.mark'>): Refusal | undefined {
  const refusal = refusedReview(draft, command);
  if (refusal === undefined) markSent(draft, command);
  return refusal;
}

function markSent(draft: Draft, { reviewId, items, to }: Pick<CommandOf<'review.mark'>, 'reviewId' | 'items' | 'to'>): void {
  for (const { sessionId, annotationId, label } of items) {
    if (sessionId === draft.state.id) draft.emit({ type: 'annotation.sent', annotationId, reviewId, label, to });
  }
}

function notDraft(draft: Draft, annotationId: string): Refusal | undefined {
  const stage = stageOf(draft, annotationId);
  if (stage === undefined) return unknown(draft, annotationId);
  return stage === 'draft' ? undefined : { refused: 'conflict', message: 'This comment was already sent and can’t be changed. Add another one.' };
}

const stageOf = (draft: Draft, annotationId: string): AnnotationStage | undefined => draft.state.annotations?.made[annotationId];

const unknown = (draft: Draft, annotationId: string): Refusal => ({
  refused: 'not-found',
  message: `There is no comment ${annotationId} in session ${draft.state.id}.`,
});
