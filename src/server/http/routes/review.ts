import * as z from 'zod/mini';
import { ReviewId } from '../../../protocol/annotation.ts';
import { ReviewAccepted, ReviewBody, ReviewNow, ReviewPreview, SendReviewBody } from '../../../protocol/api/annotations.ts';
import { isRefusal } from '../../../protocol/command.ts';
import { CommandId } from '../../../protocol/ids.ts';
import { composeAll, reviewIdOf, reviewNow } from '../../annotations/reviews.ts';
import { type Route, route } from '../route.ts';

const PREVIEW = ReviewId.parse('preview');

export const REVIEW_ROUTES: readonly Route[] = [
  route({
    method: 'POST',
    path: '/api/reviews/preview',
    role: 'viewer',
    summary: 'The exact message each recipient would get',
    body: ReviewBody,
    answer: { status: 200, schema: ReviewPreview },
    refusals: [404, 409, 413],
    handle: async (services, { body }) => {
      const messages = await composeAll(services, PREVIEW, body);
      if (isRefusal(messages)) return messages;
      const preview = messages.map(({ session, text, counts, items }) => ({
        sessionId: session.id,
        text,
        bytes: Buffer.byteLength(text),
        annotationIds: items.map(({ annotationId }) => annotationId),
        counts,
      }));
      return { status: 200, body: { messages: preview } };
    },
  }),
  route({
    method: 'POST',
    path: '/api/reviews',
    role: 'driver',
    summary: 'Send comments as one message to each recipient; the same commandId sends nothing more',
    body: SendReviewBody,
    answer: { status: 202, schema: ReviewAccepted },
    refusals: [404, 409, 413],
    handle: async (services, { body: { commandId, ...asked }, actor }) => {
      const reviewId = reviewIdOf(commandId);
      const earlier = services.engine.review(reviewId);
      if (earlier !== undefined) return { status: 202, body: { reviewId, to: earlier.to } };
      const messages = await composeAll(services, reviewId, asked);
      if (isRefusal(messages)) return messages;
      const to = messages.map(({ session, text, items, answer }) => ({
        sessionId: session.id,
        commandId: CommandId.parse(`review:${reviewId}:${session.id}:1`),
        text,
        items: [...items],
        ...(answer !== undefined && { answer }),
      }));
      const receipt = await services.engine.workspace({ type: 'review.request', commandId, reviewId, to }, actor);
      return isRefusal(receipt) ? receipt : { status: 202, body: { reviewId, to: to.map(({ sessionId }) => sessionId) } };
    },
  }),
  route({
    method: 'GET',
    path: '/api/reviews/:id',
    role: 'viewer',
    summary: 'A review: who has it, which comments were answered, skipped or settled',
    params: z.object({ id: ReviewId }),
    answer: { status: 200, schema: ReviewNow },
    refusals: [404],
    handle: async (services, { params: { id } }) => {
      const review = await reviewNow(services, id);
      return review === undefined ? { refused: 'not-found', message: `There is no review ${id}.` } : { status: 200, body: review };
    },
  }),
];
