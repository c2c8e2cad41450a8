import type { EventOf } from '../../protocol/event.ts';
import type { TurnId } from '../../protocol/ids.ts';
import { readPatch } from '../changes/patch.ts';
import { absolutePath } from '../changes/path.ts';
import type { Draft, DraftedEvent } from '../session/draft.ts';
import { moveThrough } from './move-lines.ts';
import type { Annotations, OpenItem, OpenReview } from './state.ts';

/** Records what these events show about open reviews, in the same transaction. `before` is the state before the first of them. */
export function noteEvidence(draft: Draft, before: Draft['state'], events: readonly DraftedEvent[]): void {
  if ((draft.state.annotations?.reviews.length ?? 0) === 0) return;
  for (const [index, event] of events.entries()) {
    if (event.type === 'tool.completed') noteEdit(draft, before.annotations, event, before.seq + index + 1);
    if (event.type === 'turn.completed' && !event.interrupted) endReviews(draft);
  }
}

/** An edit answers an annotation if it changes one of its lines, where they were just before it. */
function noteEdit(draft: Draft, before: Annotations | undefined, event: Extract<DraftedEvent, { type: 'tool.completed' }>, seq: number): void {
  if (event.change === undefined || event.isError) return;
  const path = absolutePath(draft.state.born?.cwd ?? '/', event.change.path);
  const hunks = readPatch(event.change.patch) ?? [];
  for (const [review, item] of openItems(before)) {
    if (item.place?.file !== path) continue;
    if (!moveThrough(hunks, item.place).touched) continue;
    draft.emit({ type: 'annotation.answered', annotationId: item.annotationId, reviewId: review.reviewId, how: 'edit', evidenceSeq: seq });
  }
}

function openItems(now: Annotations | undefined): readonly (readonly [OpenReview, OpenItem])[] {
  const taken = now?.reviews.filter(({ isTaken }) => isTaken) ?? [];
  return taken.flatMap((review) => review.items.filter(({ isEdited }) => isEdited !== true).map((item) => [review, item] as const));
}

/** The turn that took a review is over: what it only said counts now. If the turn's checkpoint can show further edits, the rest waits for it. */
function endReviews(draft: Draft): void {
  for (const review of draft.state.annotations?.reviews ?? []) {
    if (review.due?.ends !== true) continue;
    for (const { annotationId, said, isAnswered } of review.items) {
      if (isAnswered !== true && said !== undefined)
        draft.emit({ type: 'annotation.answered', annotationId, reviewId: review.reviewId, how: 'words', text: said });
    }
    if (draft.now.keepsFiles !== true || !review.items.some(canBeEdited)) draft.emit(endOf(review));
  }
}

/** An edit is better evidence than words. */
export const canBeEdited = ({ place, isEdited }: OpenItem): boolean => place !== undefined && isEdited !== true;

/** What the turn's checkpoint shows about its reviews: lines that it changed without a tool that reports edits. After that they are over. */
export function noteFileEdits(draft: Draft, turnId: TurnId, isEdited: (item: OpenItem) => boolean): void {
  for (const review of draft.state.annotations?.reviews ?? []) {
    if (review.due?.turnId !== turnId) continue;
    const edited = review.items.filter((item) => canBeEdited(item) && isEdited(item));
    for (const { annotationId } of edited)
      draft.emit({ type: 'annotation.answered', annotationId, reviewId: review.reviewId, how: 'edit', evidenceSeq: review.due.seq });
    const now = draft.state.annotations?.reviews.find(({ reviewId }) => reviewId === review.reviewId);
    if (now !== undefined && review.due.ends) draft.emit(endOf(now));
  }
}

function endOf({ reviewId, items }: OpenReview): Pick<EventOf<'review.ended'>, 'type' | 'reviewId' | 'answered' | 'skipped'> {
  const wanted = items.filter(needsAnswer);
  const isAnswered = (item: OpenItem): boolean => item.isAnswered === true || item.said !== undefined;
  return {
    type: 'review.ended',
    reviewId,
    answered: wanted.filter(isAnswered).map(({ label }) => label),
    skipped: wanted.filter((item) => !isAnswered(item)).map(({ label }) => label),
  };
}

/** Praise and notes need no answer, so they are never skipped. */
const needsAnswer = ({ kind }: OpenItem): boolean => kind === 'action' || kind === 'question';
