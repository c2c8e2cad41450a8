import { AnnotationFold, type FoldedAnnotation, type FoldedReview } from '../../domain/annotation/fold.ts';
import { placeOf } from '../../domain/annotation/place.ts';
import type { Annotation } from '../../protocol/api/annotations.ts';
import { isRefusal } from '../../protocol/command.ts';
import type { SessionId } from '../../protocol/ids.ts';
import type { Session } from '../../protocol/session.ts';
import type { Services } from '../http/route.ts';
import { FoldReader } from '../inspector/fold-reader.ts';
import { readPath } from '../inspector/read-folder.ts';
import { foldersOf } from '../inspector/session-folders.ts';
import { anySession } from '../shared/transcripts.ts';

type From = Pick<Services, 'engine' | 'sessionIndex' | 'inspector'>;

export interface AnnotationsReader {
  /** The comments made in a session, each with its place now and what was done about it. */
  ofSession(from: From, session: Session): Promise<readonly Annotation[]>;
  /** What a session did about a review that it got. */
  review(from: From, session: Session, reviewId: string): Promise<FoldedReview | undefined>;
}

export function createAnnotationsReader(): AnnotationsReader {
  const reader = new FoldReader<AnnotationFold>({ make: () => new AnnotationFold() });
  const review: AnnotationsReader['review'] = (from, session, reviewId) => reader.read(from, session, (fold) => fold.reviews.get(reviewId));
  const reviewIn = async (from: From, to: string, reviewId: string): Promise<FoldedReview | undefined> => {
    const session = await anySession(from, to as SessionId);
    return session === undefined ? undefined : review(from, session, reviewId);
  };
  return {
    review,
    ofSession: async (from, session) => {
      const made = await reader.read(from, session, (fold) => [...fold.annotations.values()]);
      const files = new TodaysFiles(from, session);
      return Promise.all(
        made.map(async (one) => ({
          ...outcomeOf(one, session.id, one.sent === undefined ? undefined : await reviewIn(from, one.sent.to, one.sent.reviewId)),
          ...(await files.placeOf(one)),
        })),
      );
    },
  };
}

function outcomeOf(one: FoldedAnnotation, sessionId: SessionId, review: FoldedReview | undefined): Annotation {
  const answered = review?.answers[one.annotationId];
  const { anchor, by, settled, sent, suggestion, ...rest } = one;
  return {
    ...rest,
    sessionId,
    state: stateOf(one, answered !== undefined, review?.endedSeq !== undefined),
    ...(anchor !== undefined && { anchor }),
    ...(by !== undefined && { by }),
    ...(sent !== undefined && { sent }),
    ...(suggestion !== undefined && { suggestion }),
    ...(settled !== undefined && { settled }),
    ...(answered !== undefined && { answered }),
  };
}

function stateOf({ sent, settled, kind }: FoldedAnnotation, isAnswered: boolean, isOver: boolean): Annotation['state'] {
  if (settled !== undefined) return 'settled';
  if (sent === undefined) return 'draft';
  if (isAnswered) return 'answered';
  // Praise and notes need no answer.
  return isOver && (kind === 'action' || kind === 'question') ? 'skipped' : 'sent';
}

/** The files that comments are on, each read once. */
class TodaysFiles {
  readonly #texts = new Map<string, Promise<string | undefined>>();

  constructor(
    private readonly from: From,
    private readonly session: Session,
  ) {}

  async placeOf({ target, anchor }: FoldedAnnotation): Promise<Pick<Annotation, 'place' | 'orphaned'>> {
    // A line that was removed has no place in today's file.
    if (target.type !== 'code' || target.side === 'old' || anchor === undefined) return {};
    const today = await this.#read(target.file);
    const was = { from: target.lineStart, to: target.lineEnd ?? target.lineStart };
    const kept = anchor.file === undefined ? undefined : this.from.engine.blob(anchor.file);
    const place = today === undefined ? undefined : placeOf(anchor, was, kept && Buffer.from(kept).toString('utf8'), today);
    return place === undefined ? { orphaned: true } : { place };
  }

  #read(path: string): Promise<string | undefined> {
    const known = this.#texts.get(path) ?? textAt(this.from, this.session, path);
    this.#texts.set(path, known);
    return known;
  }
}

/** Today's text of a file in a session's folders; undefined if it can't be read, or is no text. */
export async function textAt(from: From, session: Session, path: string): Promise<string | undefined> {
  const folders = await foldersOf(from, session, from.inspector.allowedRoots);
  const answer = isRefusal(folders) ? folders : await readPath(folders, path);
  return isRefusal(answer) || answer.kind !== 'file' ? undefined : answer.text;
}
