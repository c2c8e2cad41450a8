import { createHash } from 'node:crypto';
import { type Comment, type Composed, composeReview } from '../../domain/annotation/compose.ts';
import { type PlanAnswer, ReviewId } from '../../protocol/annotation.ts';
import type { Annotation, ReviewBody, ReviewNow } from '../../protocol/api/annotations.ts';
import { isRefusal, type Refusal } from '../../protocol/command.ts';
import type { CommandId, SessionId } from '../../protocol/ids.ts';
import { LIMITS } from '../../protocol/limits.ts';
import type { Session } from '../../protocol/session.ts';
import type { Services } from '../http/route.ts';
import { anySession } from '../shared/transcripts.ts';

/** One recipient with the message it gets. */
export interface Composition extends Composed {
  readonly session: Session;
  readonly answer?: PlanAnswer;
}

/** The same command has the same review, so that a repeat finds it. */
export const reviewIdOf = (commandId: CommandId): ReviewId => ReviewId.parse(`r${createHash('sha256').update(commandId).digest('hex').slice(0, 12)}`);

/** The exact messages of a review, or why it can't be sent. */
export async function composeAll(services: Services, reviewId: ReviewId, { annotationIds, to }: ReviewBody): Promise<readonly Composition[] | Refusal> {
  const known = await findAnnotations(services, annotationIds);
  if (isRefusal(known)) return known;
  const messages: Composition[] = [];
  for (const recipient of to) {
    const session = await anySession(services, recipient.sessionId);
    if (session === undefined) return { refused: 'not-found', message: `There is no session ${recipient.sessionId}.` };
    const chosen = chosenFor(known, recipient, to.length === 1);
    if (isRefusal(chosen)) return chosen;
    const composed = composeReview(reviewId, session.cwd, chosen.map(commentOf));
    const { answer } = recipient;
    const refusal = tooLarge(chosen.length, composed) ?? (answer && notWaiting(services, session, answer));
    if (refusal !== undefined) return refusal;
    messages.push({ ...composed, session, ...(answer !== undefined && { answer }) });
  }
  return messages;
}

/** With several recipients, each gets the comments made in it, unless the request says otherwise. */
function chosenFor(known: readonly Annotation[], { sessionId, annotationIds }: ReviewBody['to'][number], isOnly: boolean): readonly Annotation[] | Refusal {
  const chosen =
    annotationIds === undefined
      ? known.filter((one) => isOnly || one.sessionId === sessionId)
      : known.filter((one) => annotationIds.includes(one.annotationId));
  return chosen.length > 0 ? chosen : { refused: 'bad-request', message: `None of the chosen comments is for session ${sessionId}.` };
}

function tooLarge(count: number, { text }: Composed): Refusal | undefined {
  if (count > LIMITS.reviewAnnotations)
    return { refused: 'too-large', message: `A review can have at most ${LIMITS.reviewAnnotations} comments. Send some of them first.` };
  const bytes = Buffer.byteLength(text);
  if (bytes <= LIMITS.reviewBytes) return undefined;
  return {
    refused: 'too-large',
    message: `This review has ${Math.ceil(bytes / 1024)} KB; the limit is ${LIMITS.reviewBytes / 1024} KB. Send some of the comments first.`,
  };
}

function notWaiting({ engine }: Services, { id }: Session, { requestId }: PlanAnswer): Refusal | undefined {
  const waiting = engine.permissions(id).find((each) => each.requestId === requestId);
  if (waiting === undefined) return { refused: 'already-answered', message: 'This plan no longer waits for an answer. Your comments are still drafts.' };
  return waiting.kind === 'plan' ? undefined : { refused: 'bad-request', message: 'A review can only answer a plan.' };
}

export async function findAnnotations(services: Services, ids: readonly string[]): Promise<readonly Annotation[] | Refusal> {
  const all = (await allAnnotations(services)).filter(({ annotationId }) => ids.includes(annotationId));
  const missing = ids.find((id) => !all.some(({ annotationId }) => annotationId === id));
  if (missing !== undefined) return { refused: 'not-found', message: `There is no comment ${missing}.` };
  const settled = all.find(({ state }) => state === 'settled');
  return settled === undefined ? all : { refused: 'conflict', message: `Comment ${settled.annotationId} is settled. Reopen it to send it again.` };
}

/** Every comment the caller may see. */
export async function allAnnotations(services: Services, only?: SessionId): Promise<readonly Annotation[]> {
  const ids = only === undefined ? services.engine.annotated() : [only];
  const lists = await Promise.all(
    ids.map(async (id) => {
      const session = await anySession(services, id);
      return session === undefined ? [] : services.annotations.ofSession(services, session);
    }),
  );
  return lists.flat();
}

function commentOf(one: Annotation): Comment {
  const { sessionId, annotationId, seq, target, kind, text, suggestion, anchor, place, by } = one;
  return {
    sessionId,
    annotationId,
    seq,
    target,
    kind,
    text,
    ...(suggestion !== undefined && { suggestion }),
    ...(anchor?.quote !== undefined && { quote: anchor.quote }),
    ...(anchor?.lines !== undefined && { selection: anchor.lines }),
    ...(place !== undefined && { now: place }),
    ...(by?.kind === 'agent' && { author: by.name }),
  };
}

/** A review as it stands: who has it, and what each did about it. */
export async function reviewNow(services: Services, reviewId: ReviewId): Promise<ReviewNow | undefined> {
  const review = services.engine.review(reviewId);
  if (review === undefined) return undefined;
  const all = await allAnnotations(services);
  const to = await Promise.all(
    review.to.map(async (sessionId): Promise<ReviewNow['to'][number] | undefined> => {
      const session = await anySession(services, sessionId);
      if (session === undefined) return undefined;
      const got = await services.annotations.review(services, session, reviewId);
      const refused = review.refused?.find((one) => one.sessionId === sessionId);
      const annotations = all.filter(({ sent }) => sent?.reviewId === reviewId && sent.to === sessionId);
      if (refused !== undefined) return { sessionId, state: 'refused', message: refused.message, annotations };
      if (got === undefined) return { sessionId, state: 'sending', annotations };
      return { sessionId, state: got.endedSeq === undefined ? 'waiting' : 'ended', annotations };
    }),
  );
  const seen = to.filter((one) => one !== undefined);
  return seen.length === 0 ? undefined : { reviewId, to: seen };
}
