import type { Actor } from '../../protocol/actor.ts';
import type { AnnotationId, ReviewId } from '../../protocol/annotation.ts';
import type { Event, EventOf } from '../../protocol/event.ts';

/** An annotation with all that happened to it in the session it was made in. */
export interface FoldedAnnotation {
  readonly annotationId: AnnotationId;
  readonly seq: number;
  readonly at: string;
  readonly by?: Actor;
  readonly target: EventOf<'annotation.made'>['target'];
  readonly anchor?: EventOf<'annotation.made'>['anchor'];
  readonly kind: EventOf<'annotation.made'>['kind'];
  readonly text: string;
  readonly suggestion?: string;
  /** The last review it was part of. */
  readonly sent?: { readonly reviewId: ReviewId; readonly label: string; readonly to: string; readonly seq: number };
  readonly settled?: { readonly outcome: 'verified' | 'dropped'; readonly note?: string; readonly seq: number; readonly by?: Actor };
}

/** What a session did about a review that it got. */
export interface FoldedReview {
  readonly reviewId: ReviewId;
  readonly seq: number;
  readonly items: EventOf<'review.sent'>['annotations'];
  readonly answers: Readonly<Record<string, Answered>>;
  /** The event that ended it; unset while it waits for its turn. */
  readonly endedSeq?: number;
}

export type Answered = Pick<EventOf<'annotation.answered'>, 'how' | 'evidenceSeq' | 'text' | 'seq'>;

/** Annotations and reviews of a session: a fold over its events. */
export class AnnotationFold {
  seq = 0;
  readonly annotations = new Map<string, FoldedAnnotation>();
  readonly reviews = new Map<string, FoldedReview>();

  add(event: Event): void {
    this.seq = event.seq;
    switch (event.type) {
      case 'annotation.made':
        return this.#made(event);
      case 'annotation.edited':
        return this.#change(event.annotationId, (known) => ({
          ...known,
          kind: event.kind ?? known.kind,
          text: event.text ?? known.text,
          ...(event.suggestion !== undefined && { suggestion: event.suggestion }),
        }));
      case 'annotation.withdrawn':
        this.annotations.delete(event.annotationId);
        return;
      case 'annotation.sent':
        return this.#change(event.annotationId, (known) => ({
          ...known,
          sent: { reviewId: event.reviewId, label: event.label, to: event.to, seq: event.seq },
        }));
      case 'annotation.settled':
        return this.#change(event.annotationId, (known) => settledBy(known, event));
      case 'review.sent':
        this.reviews.set(event.reviewId, { reviewId: event.reviewId, seq: event.seq, items: event.annotations, answers: {} });
        return;
      case 'annotation.answered':
        return this.#answered(event);
      case 'review.ended': {
        const review = this.reviews.get(event.reviewId);
        if (review !== undefined) this.reviews.set(event.reviewId, { ...review, endedSeq: event.seq });
        return;
      }
      default:
        return;
    }
  }

  #made(event: EventOf<'annotation.made'>): void {
    const { annotationId, seq, at, actor, target, anchor, kind, text, suggestion } = event;
    this.annotations.set(annotationId, {
      annotationId,
      seq,
      at,
      target,
      kind,
      text,
      ...(actor !== undefined && { by: actor }),
      ...(anchor !== undefined && { anchor }),
      ...(suggestion !== undefined && { suggestion }),
    });
  }

  #answered({ reviewId, annotationId, how, evidenceSeq, text, seq }: EventOf<'annotation.answered'>): void {
    const review = this.reviews.get(reviewId);
    if (review === undefined) return;
    const answer = bestOf(review.answers[annotationId], { how, seq, ...(evidenceSeq !== undefined && { evidenceSeq }), ...(text !== undefined && { text }) });
    this.reviews.set(reviewId, { ...review, answers: { ...review.answers, [annotationId]: answer } });
  }

  #change(id: string, change: (known: FoldedAnnotation) => FoldedAnnotation): void {
    const known = this.annotations.get(id);
    if (known !== undefined) this.annotations.set(id, change(known));
  }
}

/** An edit is the better evidence, and what the agent said about it stays with it. */
function bestOf(known: Answered | undefined, fresh: Answered): Answered {
  const said = fresh.text ?? known?.text;
  return { ...(known?.how === 'edit' ? known : fresh), ...(said !== undefined && { text: said }) };
}

function settledBy(known: FoldedAnnotation, { outcome, note, seq, actor }: EventOf<'annotation.settled'>): FoldedAnnotation {
  const { settled: _, ...open } = known;
  if (outcome === 'reopened') return open;
  return { ...open, settled: { outcome, seq, ...(note !== undefined && { note }), ...(actor !== undefined && { by: actor }) } };
}
