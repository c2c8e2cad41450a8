import type { ReviewItem } from '../../protocol/annotation.ts';
import type { Event, EventOf } from '../../protocol/event.ts';
import type { CommandId } from '../../protocol/ids.ts';
import { readPatch } from '../changes/patch.ts';
import { absolutePath } from '../changes/path.ts';
import { moveThrough } from './move-lines.ts';

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
  readonly items: readonly OpenItem[];
}

export interface OpenItem extends ReviewItem {
  readonly isAnswered?: boolean;
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
        review.reviewId === event.reviewId && item.annotationId === event.annotationId ? { ...item, isAnswered: true } : item,
      );
    case 'assistant.text':
      return event.parentToolUseId === undefined ? changedItems(now, (item, { isTaken }) => (isTaken ? heard(item, event.text) : item)) : now;
    case 'tool.completed':
      return event.change === undefined || event.isError ? now : changedItems(now, (item) => movedBy(item, event, cwd));
    default:
      return now;
  }
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
  return hunks === undefined ? item : { ...item, place: { file: place.file, ...moveThrough(hunks, place).range } };
}

function without(made: Annotations['made'], id: string): Annotations['made'] {
  const { [id]: _, ...others } = made;
  return others;
}
