import { afterEach, beforeEach, expect, test } from 'vitest';
import { MemoryLibrary } from '../../test/support/server/in-memory-index.ts';
import { startTestServer, type TestServer } from '../../test/support/server/test-server.ts';
import type { ServerFrame } from '../protocol/frame.ts';
import type { SessionId } from '../protocol/ids.ts';

const PAST = 'past-1' as SessionId;

let past: MemoryLibrary;
let server: TestServer;
beforeEach(async () => {
  past = new MemoryLibrary();
  past.put(PAST, ['one', 'two', 'three']);
  server = await startTestServer({}, { library: past.library });
});
afterEach(() => server.close());

const json = async (path: string, init?: RequestInit) => (await server.fetch(path, init)).json();
const texts = (events: readonly { readonly text?: string }[]) => events.map(({ text }) => text);

test('a past session is one session, with its events in both directions', async () => {
  expect(await json(`/api/sessions/${PAST}`)).toMatchObject({ id: PAST, control: 'none', past: { lastSeq: 3 } });
  expect(texts((await json(`/api/sessions/${PAST}/events?before=3&limit=1`)).events)).toEqual(['two']);
  expect(texts((await json(`/api/sessions/${PAST}/events?after=1`)).events)).toEqual(['two', 'three']);
  expect((await server.fetch(`/api/sessions/${PAST}/export?format=json`)).status).toBe(200);
  expect((await server.fetch('/api/sessions/past-0/events')).status).toBe(404);
});

test('whoever looks at a past session gets its end, and then what is added to its record', async () => {
  const client = await server.connect();
  client.send({ type: 'subscribe', sessionId: PAST });
  const snapshot = await client.next('snapshot');
  expect([snapshot.firstSeq, snapshot.seq, texts(snapshot.events as never)]).toEqual([1, 3, ['one', 'two', 'three']]);
  past.grow(PAST, 'four');
  expect(await client.next('event')).toMatchObject({ sessionId: PAST, seq: 4, event: { text: 'four' } });
  client.send({ type: 'unsubscribe', sessionId: PAST });
  client.send({ type: 'ping' });
  await client.next('pong');
  expect(past.followed.get(PAST)).toBe(0);
});

test('what is added while its end is being read is not missed and not doubled', async () => {
  past.whileReading = () => {
    past.whileReading = () => undefined;
    past.grow(PAST, 'four');
  };
  const client = await server.connect();
  client.send({ type: 'subscribe', sessionId: PAST });
  await client.until((frame) => frame.type === 'event' && frame.seq === 4);
  past.grow(PAST, 'five');
  await client.until((frame) => frame.type === 'event' && frame.seq === 5);
  const seen = client.frames.flatMap((frame: ServerFrame) =>
    frame.type === 'snapshot' ? frame.events.map(({ seq }) => seq) : frame.type === 'event' ? [frame.seq] : [],
  );
  expect(seen).toEqual([1, 2, 3, 4, 5]);
});

test('when a conversation is gone on with from an earlier place, whoever looks is told to ask again', async () => {
  const client = await server.connect();
  client.send({ type: 'subscribe', sessionId: PAST });
  await client.next('snapshot');
  past.grow(PAST, 'another way', { turned: true });
  expect(await client.next('resubscribe')).toMatchObject({ sessionId: PAST });
});

test('a session that nobody knows is refused, and nothing is followed', async () => {
  const client = await server.connect();
  client.send({ type: 'subscribe', sessionId: 'past-0' });
  expect(await client.next('refused')).toMatchObject({ code: 'not-found' });
  expect([...past.followed.values()].every((count) => count === 0)).toBe(true);
});

test('lists hear of past sessions that change or go, and how far the reading is', async () => {
  const client = await server.connect();
  client.send({ type: 'subscribe', sessionId: '*' });
  expect(await client.next('index')).toMatchObject({ phase: 'ready' });
  const session = await past.library.session(PAST);
  if (session !== undefined) past.tell({ kind: 'session', session });
  expect(await client.next('status')).toMatchObject({ sessionId: PAST, status: 'ended' });
  past.tell({ kind: 'removed', sessionId: PAST });
  expect(await client.next('status')).toMatchObject({ sessionId: PAST, deleted: true });
  past.tell({ kind: 'progress', progress: { phase: 'reading', sessions: { done: 1, total: 2 }, bytes: { done: 1, total: 2 }, unreadable: [] } });
  expect(await client.next('index')).toMatchObject({ phase: 'reading', sessions: { done: 1, total: 2 } });
});

test('a search past its bounds is refused in words', async () => {
  expect((await server.fetch(`/api/search?q=${'x'.repeat(1000)}`)).status).toBe(200);
  const tooLong = await server.fetch(`/api/search?q=${'x'.repeat(1001)}`);
  expect([tooLong.status, (await tooLong.json()).error.message]).toEqual([400, expect.stringContaining('q')]);
  expect((await server.fetch('/api/search?q=x&limit=200')).status).toBe(200);
  expect((await server.fetch('/api/search?q=x&limit=201')).status).toBe(400);
});

test('every agent is listed, also one of which only the records are read', async () => {
  const agents = [{ id: 'other', title: 'Other', icon: 'other' }] as never;
  const more = await startTestServer({}, { library: { ...past.library, agents, counts: async () => ({ other: 7 }) } });
  const listed = (await (await more.fetch('/api/agents')).json()).agents;
  expect(listed.at(-1)).toMatchObject({ id: 'other', available: false, sessions: 7, problem: expect.stringContaining('cannot run it') });
  await more.close();
});

test('a second look at a past session, and one that goes, leave the others looking', async () => {
  const client = await server.connect();
  const other = await server.connect();
  for (const one of [client, other]) {
    one.send({ type: 'subscribe', sessionId: PAST });
    await one.next('snapshot');
  }
  client.send({ type: 'subscribe', sessionId: PAST });
  await client.next('snapshot');
  expect(past.followed.get(PAST)).toBe(1);
  other.send({ type: 'unsubscribe', sessionId: PAST });
  other.send({ type: 'ping' });
  await other.next('pong');
  expect(past.followed.get(PAST)).toBe(1);
  past.grow(PAST, 'four');
  expect(await client.next('event')).toMatchObject({ seq: 4 });
});

test('nobody takes up, or is told of, a past session whose conversation is closed to them', async () => {
  const library = { ...past.library, pastIds: (conversations: readonly string[]) => conversations.map((id) => id.replace('of-', '') as SessionId) };
  const closed = await startTestServer({}, { library });
  closed.engine.closeConversation(`of-${PAST}`, 'dora');
  const asDriver = closed.tokens.add('otto', 'driver');
  const patch = (token: string, body: object) =>
    closed.fetch(`/api/sessions/${PAST}`, {
      method: 'PATCH',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  expect((await patch(asDriver, { title: 'mine now' })).status).toBe(404);
  expect((await closed.fetch(`/api/sessions/${PAST}`, { headers: { authorization: `Bearer ${asDriver}` } })).status).toBe(404);
  const client = await closed.connect(asDriver);
  client.send({ type: 'subscribe', sessionId: '*' });
  await client.next('index');
  const session = await past.library.session(PAST);
  if (session !== undefined) past.tell({ kind: 'session', session });
  client.send({ type: 'ping' });
  await client.next('pong');
  expect(client.frames.filter((frame) => frame.type === 'status')).toEqual([]);
  await closed.close();
});

test('only the owner of the server closes a session that nobody has taken up', async () => {
  const body = JSON.stringify({ closed: true });
  const headers = { authorization: `Bearer ${server.token.driver}`, 'content-type': 'application/json' };
  expect((await server.fetch(`/api/sessions/${PAST}`, { method: 'PATCH', headers, body })).status).toBe(403);
});
