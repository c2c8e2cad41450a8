import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Annotation } from '../../src/protocol/api/annotations.ts';
import type { Event } from '../../src/protocol/event.ts';
import type { Session } from '../../src/protocol/session.ts';
import { api } from '../support/client.ts';
import { proofCount } from '../support/proof-length.ts';
import { startServer, type TestServer } from '../support/real-server.ts';
import { seeded } from '../support/seeded.ts';
import { waitFor } from '../support/wait-for.ts';

/** Requests and their effects take about this long here; kills are spread over it. */
const SPAN_MS = 25;

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const eventsOf = async (id: string): Promise<readonly Event[]> =>
  (await api<{ events: Event[] }>(server, 'GET', `/api/sessions/${id}/events?after=0&limit=1000`)).body.events;

const reviewsIn = (events: readonly Event[]): number =>
  events.filter((event) => event.type === 'user.message' && event.text.includes('<signalbox-review')).length;

async function sessionWithComments(): Promise<{ readonly id: string; readonly comments: readonly string[] }> {
  const { body } = await api<Session>(server, 'POST', '/api/sessions', { agent: 'demo', cwd: server.project, prompt: 'hello' });
  const said = await waitFor('an answer', async () => (await eventsOf(body.id)).find((event) => event.type === 'assistant.text'));
  await waitFor('the end of the turn', async () => (await eventsOf(body.id)).find((event) => event.type === 'turn.completed'));
  const target = { type: 'conversation', sessionId: body.id, messageId: said.itemId };
  const made = await Promise.all(
    ['one', 'two'].map((text) => api<Annotation>(server, 'POST', '/api/annotations', { sessionId: body.id, target, kind: 'action', text })),
  );
  return { id: body.id, comments: made.map(({ body: { annotationId } }) => annotationId) };
}

test('[R455] a review to two sessions survives kill -9 at any instant: one message each, each comment marked once', async () => {
  for (let seed = 1; seed <= proofCount(2); seed += 1) {
    const [a, b] = [await sessionWithComments(), await sessionWithComments()];
    // Session b also gets a comment that was made in a.
    const to = [
      { sessionId: a.id, annotationIds: [a.comments[0]] },
      { sessionId: b.id, annotationIds: [...b.comments, a.comments[1]] },
    ];
    const body = { annotationIds: [...a.comments, ...b.comments], to, commandId: `review-${seed}` };
    const asked = api(server, 'POST', '/api/reviews', body).catch(() => undefined);
    await sleep(seeded(seed)() * SPAN_MS);
    await server.kill9();
    await asked;
    await server.restart();
    const { body: accepted } = await api<{ reviewId: string }>(server, 'POST', '/api/reviews', body);
    const both = async () => [await eventsOf(a.id), await eventsOf(b.id)] as const;
    await waitFor(`both messages, seed ${seed}`, async () => (await both()).every((events) => reviewsIn(events) > 0));
    await waitFor(`all marks, seed ${seed}`, async () => (await both()).flat().filter(({ type }) => type === 'annotation.sent').length >= 4);
    const streams = await both();
    const marks = streams.map((events) =>
      events.flatMap((event) => (event.type === 'annotation.sent' ? [[event.annotationId, event.reviewId, event.to]] : [])),
    );
    expect([seed, marks[0]?.toSorted(), marks[1]?.toSorted()]).toEqual([
      seed,
      [
        [a.comments[0], accepted.reviewId, a.id],
        [a.comments[1], accepted.reviewId, b.id],
      ].toSorted(),
      b.comments.map((id) => [id, accepted.reviewId, b.id]).toSorted(),
    ]);
    expect([seed, ...streams.map(reviewsIn)]).toEqual([seed, 1, 1]);
    for (const { id } of [a, b]) await api(server, 'DELETE', `/api/sessions/${id}`);
  }
});

test('[R456] comments and reviews of a private session do not exist for another driver', async () => {
  const { id, comments } = await sessionWithComments();
  const to = [{ sessionId: id }];
  const { body: sent } = await api<{ reviewId: string }>(server, 'POST', '/api/reviews', { annotationIds: [comments[0]], to, commandId: 'private' });
  await waitFor('the mark', async () => (await eventsOf(id)).find(({ type }) => type === 'annotation.sent'));
  const { body: token } = await api<{ token: string }>(server, 'POST', '/api/tokens', { name: 'dora', role: 'driver' });
  const dora = { url: server.url, token: token.token };
  const seen = async () => (await api<{ annotations: unknown[] }>(dora, 'GET', '/api/annotations')).body.annotations.length;
  expect(await seen()).toBeGreaterThan(1);
  expect((await api(server, 'PATCH', `/api/sessions/${id}`, { closed: true })).status).toBe(200);
  expect((await api<{ annotations: { sessionId: string }[] }>(dora, 'GET', '/api/annotations')).body.annotations.filter((one) => one.sessionId === id)).toEqual(
    [],
  );
  const asked = [
    await api(dora, 'POST', `/api/annotations/${comments[0]}/settle`, { outcome: 'verified' }),
    await api(dora, 'PATCH', `/api/annotations/${comments[1]}`, { text: 'mine now' }),
    await api(dora, 'DELETE', `/api/annotations/${comments[1]}`),
    await api(dora, 'GET', `/api/reviews/${sent.reviewId}`),
    await api(dora, 'POST', '/api/reviews/preview', { annotationIds: [comments[1]], to }),
    await api(dora, 'POST', '/api/annotations', { sessionId: id, target: { type: 'code', file: 'x', lineStart: 1 }, kind: 'note', text: 'x' }),
  ];
  expect(asked.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404, 404]);
});
