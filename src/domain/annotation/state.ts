import type { ReviewItem } from '../../protocol/annotation.ts';
import type { Event, EventOf } from '../../protocol/event.ts';
import type { CommandId, TurnId } from '../../protocol/ids.ts';
import { readPatch } from '../changes/patch.ts';
import { absolutePath } from '../changes/path.ts';
import { type LineRange, moveThrough } from './move-lines.ts';

/** What the rules need to know about annotations: their texts stay in the events. */
export interface Annotations {
  /** Every annotation made in this session that was not withdrawn. */
  readonly made: Readonly<Record<string, AnnotationStage>>;
  /** Reviews sent to this session whose turn is not over. */
  readonly reviews: readonly OpenReview[];
}

export type AnnotationStage = 'draft' | 'sent' | 'settled';

export interface OpenReview {
  readonly reviewId: EventOf<'review.sent'>['reviewId'];
  readonly commandIds: readonly CommandId[];
  /** The agent has taken the message: from now on its work counts as evidence. */
  readonly isTaken: boolean;
  /** The turn that just ended: its checkpoint tells what its shell commands edited. `ends`: after that the review is over. */
  readonly due?: { readonly turnId: TurnId; readonly seq: number; readonly ends: boolean };
  readonly items: readonly OpenItem[];
}

export interface OpenItem extends ReviewItem {
  readonly isAnswered?: boolean;
  /** Answered by an edit: there is no better evidence. */
  readonly isEdited?: boolean;
  /** Its lines when the turn started; absent if they may have been edited since the review was sent. */
  readonly start?: LineRange;
  /** A shell command or a person edited its file while the review waited. */
  readonly isUnsure?: boolean;
  /** The sentence with which the agent answered it, until its turn is over. */
  readonly said?: string;
}

export const NO_ANNOTATIONS: Annotations = { made: {}, reviews: [] };

/** How annotations change with an event; the same object if they don't. */
export function evolveAnnotations(now: Annotations, event: Event, cwd: string): Annotations {
  switch (event.type) {
    case 'annotation.made':
      return { ...now, made: { ...now.made, [event.annotationId]: 'draft' } };
    case 'annotation.withdrawn':
      return { ...now, made: without(now.made, event.annotationId) };
    case 'annotation.sent':
      return { ...now, made: { ...now.made, [event.annotationId]: 'sent' } };
    case 'annotation.settled':
      return { ...now, made: { ...now.made, [event.annotationId]: event.outcome === 'reopened' ? 'sent' : 'settled' } };
    case 'review.sent':
      return { ...now, reviews: [...now.reviews, opened(event)] };
    case 'review.ended':
      return { ...now, reviews: now.reviews.filter(({ reviewId }) => reviewId !== event.reviewId) };
    default:
      return now.reviews.length === 0 ? now : withReviews(now, event, cwd);
  }
}

/** An answer to a request reaches the agent at once; a message when it is taken from the queue. */
const opened = ({ reviewId, commandIds, annotations, requestId }: EventOf<'review.sent'>): OpenReview => ({
  reviewId,
  commandIds,
  isTaken: requestId !== undefined,
  items: annotations,
});

function withReviews(now: Annotations, event: Event, cwd: string): Annotations {
  switch (event.type) {
    case 'input.consumed':
      return { ...now, reviews: now.reviews.map((review) => (review.commandIds.includes(event.commandId) ? { ...review, isTaken: true } : review)) };
    case 'annotation.answered':
      return changedItems(now, (item, review) =>
        review.reviewId === event.reviewId && item.annotationId === event.annotationId
          ? { ...item, isAnswered: true, ...(event.how === 'edit' && { isEdited: true }) }
          : item,
      );
    case 'turn.started':
      return { ...now, reviews: now.reviews.map(withStart) };
    case 'turn.completed':
      return { ...now, reviews: now.reviews.map((review) => withDue(review, event)) };
    case 'checkpoint.made': {
      const changed = new Set(event.changed.map(({ path }) => absolutePath(cwd, path)));
      return changedItems(now, (item, { isTaken }) =>
        !isTaken && item.place !== undefined && changed.has(item.place.file) ? { ...item, isUnsure: true } : item,
      );
    }
    case 'assistant.text':
      return event.parentToolUseId === undefined ? changedItems(now, (item, { isTaken }) => (isTaken ? heard(item, event.text) : item)) : now;
    case 'tool.completed':
      return event.change === undefined || event.isError ? now : changedItems(now, (item) => movedBy(item, event, cwd));
    default:
      return now;
  }
}

/** A review whose turn just ended keeps what it knows until that turn's checkpoint is there. */
function withStart(review: OpenReview): OpenReview {
  if (review.due?.ends === true) return review;
  const { due: _, ...open } = review;
  return { ...open, items: review.items.map((item) => (item.place === undefined || item.isUnsure === true ? item : { ...item, start: rangeOf(item.place) })) };
}

const rangeOf = ({ from, to }: LineRange): LineRange => ({ from, to });

/** After an interrupt or a crash the review waits for the turn that answers it. */
function withDue(review: OpenReview, { turnId, seq, interrupted, stopReason }: EventOf<'turn.completed'>): OpenReview {
  if (!review.isTaken || review.due?.ends === true) return review;
  return { ...review, due: { turnId, seq, ends: !interrupted && stopReason !== 'agent_exited' } };
}

const changedItems = (now: Annotations, change: (item: OpenItem, review: OpenReview) => OpenItem): Annotations => ({
  ...now,
  reviews: now.reviews.map((review) => ({ ...review, items: review.items.map((item) => change(item, review)) })),
});

function heard(item: OpenItem, text: string): OpenItem {
  const said = item.said ?? answerIn(text, item.label);
  return said === undefined ? item : { ...item, said };
}

/** An answer longer than this is cut: the transcript has all of it. */
const SAID_CHARS = 500;

/** The rest of the line after "A2:", also when the label is emphasized. */
function answerIn(text: string, label: string): string | undefined {
  const found = new RegExp(`(?<![A-Za-z0-9])${label}(?:\\*\\*|\`|_)*:[ \\t*\`_]*(\\S[^\\n]*)`).exec(text);
  return found?.[1]?.slice(0, SAID_CHARS).trim();
}

function movedBy(item: OpenItem, event: EventOf<'tool.completed'>, cwd: string): OpenItem {
  const { place } = item;
  if (place === undefined || event.change === undefined || absolutePath(cwd, event.change.path) !== place.file) return item;
  const hunks = readPatch(event.change.patch);
  return hunks === undefined ? item : { ...item, place: { ...place, ...moveThrough(hunks, place).range } };
}

function without(made: Annotations['made'], id: string): Annotations['made'] {
  const { [id]: _, ...others } = made;
  return others;
}
