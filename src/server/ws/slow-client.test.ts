import { afterEach, beforeEach, expect, test } from 'vitest';
import type { TestClient } from '../../../test/support/server/test-client.ts';
import { startTestServer, type TestServer } from '../../../test/support/server/test-server.ts';
import type { EventBody } from '../../protocol/event.ts';
import type { ServerFrame } from '../../protocol/frame.ts';
import type { RequestId, SessionId } from '../../protocol/ids.ts';
import { DELTA_BOUND_BYTES, EVENT_BOUND_BYTES } from './socket-writer.ts';

const S1 = 's1' as SessionId;
const CHUNK = 'x'.repeat(50_000);
const note = (text: string): EventBody => ({ type: 'notice.shown', level: 'info', text });

let server: TestServer;
let stalled: TestClient;
let quick: TestClient;
beforeEach(async () => {
  server = await startTestServer();
  await server.post('/api/sessions', { agent: 'stand-in', cwd: '/', id: 's1' });
  stalled = await server.connect();
  quick = await server.connect();
  for (const client of [stalled, quick]) {
    client.send({ type: 'subscribe', sessionId: 's1' });
    await client.next('snapshot');
  }
  stalled.pause();
});
afterEach(() => server.close());

const metric = async (name: string): Promise<number> => {
  const text = await (await server.fetch('/metrics')).text();
  return Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1]);
};

/** Sends like an agent, a megabyte at a time, until `clients` were held back: how much the kernel buffers first differs by machine. */
async function floodUntilHeldBack(clients: number, send: (index: number) => void): Promise<void> {
  for (let index = 0; (await metric('signalbox_ws_held_back_total')) < clients; ) {
    for (const end = index + 20; index < end; index += 1) send(index);
  }
}

test('[R105] a client that stops reading costs a bounded buffer, slows nobody down, and gets everything in the end', async () => {
  await floodUntilHeldBack(1, () => server.engine.observe(S1, note(CHUNK)));
  for (let index = 0; index < 100; index += 1) server.engine.observe(S1, note(CHUNK));
  const last = server.engine.session(S1)!.lastSeq;
  await quick.until((frame) => frame.type === 'event' && frame.seq === last);
  const seqs = quick.frames.flatMap((frame) => (frame.type === 'event' ? [frame.seq] : []));
  expect(seqs).toEqual(Array.from({ length: last - 1 }, (_, index) => index + 2));
  expect(await metric('signalbox_ws_held_back_total')).toBe(1);
  expect(await metric('signalbox_ws_buffered_bytes')).toBeLessThanOrEqual(EVENT_BOUND_BYTES);

  stalled.resume();
  expect(await stalled.next('resubscribe')).toEqual({ type: 'resubscribe', sessionId: 's1' });
  const got = stalled.frames.flatMap((frame) => (frame.type === 'event' ? [frame.seq] : []));
  expect(got).toEqual(Array.from({ length: got.length }, (_, index) => index + 2));
  let have = got.at(-1)!;
  expect(have).toBeLessThan(last);
  stalled.send({ type: 'subscribe', sessionId: 's1', after: have });
  const snapshot = await stalled.next('snapshot');
  expect(snapshot.seq).toBe(last);
  while (have < snapshot.firstSeq - 1) {
    const { events } = await (await server.fetch(`/api/sessions/s1/events?after=${have}&limit=100`)).json();
    expect(events[0].seq).toBe(have + 1);
    have = events.at(-1).seq;
  }
  server.engine.observe(S1, note('live again'));
  await stalled.until((frame) => frame.type === 'event' && frame.seq === last + 1);
});

test('text in progress is dropped first: events still arrive, and the text comes with the next snapshot', async () => {
  await floodUntilHeldBack(1, (index) =>
    server.engine.stream(S1, { itemId: 'i1', messageId: 'm1', index: 0, kind: 'text', text: CHUNK, offset: index * CHUNK.length }),
  );
  server.engine.observe(S1, note('durable'));
  await quick.until((frame) => frame.type === 'event' && frame.seq === 2);
  expect(await metric('signalbox_ws_buffered_bytes')).toBeLessThanOrEqual(DELTA_BOUND_BYTES + 1000);
  stalled.resume();
  await stalled.until((frame) => frame.type === 'event' && frame.seq === 2);
  await stalled.next('resubscribe');
  stalled.send({ type: 'subscribe', sessionId: 's1', after: 2 });
  const again = await stalled.next('snapshot');
  expect(again.partial[0]?.text.length).toBe(server.engine.partial(S1)[0]?.text.length);
  await expect.poll(() => metric('signalbox_ws_buffered_bytes')).toBe(0);
  server.engine.stream(S1, { itemId: 'i2', messageId: 'm1', index: 1, kind: 'text', text: 'live', offset: 0 });
  await stalled.until((frame) => frame.type === 'delta' && frame.itemId === 'i2');
});

test('a full client that subscribes to another session gets no snapshot yet, but is asked to subscribe again', async () => {
  await server.post('/api/sessions', { agent: 'stand-in', cwd: '/', id: 's2' });
  await floodUntilHeldBack(1, () => server.engine.observe(S1, note(CHUNK)));
  stalled.send({ type: 'subscribe', sessionId: 's2' });
  await expect.poll(() => metric('signalbox_ws_held_back_total')).toBe(2);
  stalled.resume();
  await stalled.until((frame) => frame.type === 'resubscribe' && frame.sessionId === 's2');
  stalled.send({ type: 'subscribe', sessionId: 's2' });
  await stalled.until((frame) => frame.type === 'snapshot' && frame.sessionId === 's2');
});

test('a full client that missed a list update gets the whole list and the import progress again', async () => {
  stalled.resume();
  stalled.send({ type: 'subscribe', sessionId: '*' });
  await stalled.next('sessions');
  await stalled.next('index');
  stalled.pause();
  await floodUntilHeldBack(1, () => server.engine.observe(S1, note(CHUNK)));
  for (let index = 0; index < 100; index += 1) await server.post('/api/sessions', { agent: 'stand-in', cwd: '/', id: `n${index}`, title: 'x'.repeat(200) });
  stalled.resume();
  expect((await stalled.next('sessions')).sessions).toHaveLength(101);
  expect(await stalled.next('index')).toMatchObject({ phase: 'ready' });
});

test('[R308] a full client misses no request: once it has caught up it gets all pending requests, and no list update before that', async () => {
  const asks = (id: string): EventBody => ({
    type: 'permission.requested',
    requestId: id as RequestId,
    agentRequestId: id,
    tool: 'T',
    input: { text: 'x'.repeat(1000) },
    kind: 'tool',
  });
  stalled.resume();
  stalled.send({ type: 'subscribe', sessionId: '*' });
  expect(await stalled.next('waiting')).toMatchObject({ reset: true, added: [] });
  stalled.pause();
  await floodUntilHeldBack(1, () => server.engine.observe(S1, note(CHUNK)));
  for (let index = 0; index < 200; index += 1) server.engine.observe(S1, asks(`r${index}`));
  const isReset = (frame: ServerFrame): boolean => frame.type === 'waiting' && frame.reset === true && frame.added.length > 0;
  stalled.resume();
  await stalled.until(isReset);
  const frames = stalled.frames.filter((frame) => frame.type === 'waiting');
  const reset = frames.findIndex(isReset);
  const added = frames.slice(1, reset).flatMap((frame) => frame.added.map(({ requestId }) => requestId));
  // Those that still fit arrived in order; after the first that didn't, nothing came until the whole list.
  expect(added).toEqual(added.map((_, index) => `r${index}`));
  expect(added.length).toBeLessThan(200);
  expect(frames[reset]?.added).toHaveLength(200);
  expect(frames.slice(reset + 1)).toEqual([]);
});
