import { afterEach, beforeEach, expect, test } from 'vitest';
import { InMemoryIndex } from '../../test/support/server/in-memory-index.ts';
import { startTestServer, type TestServer } from '../../test/support/server/test-server.ts';
import type { ServerFrame } from '../protocol/frame.ts';
import type { SessionId } from '../protocol/ids.ts';

const PAST = 'past-1' as SessionId;

let past: InMemoryIndex;
let server: TestServer;
beforeEach(async () => {
  past = new InMemoryIndex();
  past.put(PAST, ['one', 'two', 'three']);
  server = await startTestServer({}, { sessionIndex: past.sessionIndex });
});
afterEach(() => server.close());

const json = async (path: string, init?: RequestInit) => (await server.fetch(path, init)).json();
const texts = (events: readonly { readonly text?: string }[]) => events.map(({ text }) => text);

test('a past session is one session, with its events readable in both directions', async () => {
  expect(await json(`/api/sessions/${PAST}`)).toMatchObject({ id: PAST, control: 'none', past: { lastSeq: 3 } });
  expect(texts((await json(`/api/sessions/${PAST}/events?before=3&limit=1`)).events)).toEqual(['two']);
  expect(texts((await json(`/api/sessions/${PAST}/events?after=1`)).events)).toEqual(['two', 'three']);
  expect((await server.fetch(`/api/sessions/${PAST}/export?format=json`)).status).toBe(200);
  expect((await server.fetch('/api/sessions/past-0/events')).status).toBe(404);
});

test('a client that watches a past session gets its end, and then what is added to its record', async () => {
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

test('events added while the end is being read are neither missed nor doubled', async () => {
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

test('when a conversation continues from an earlier point, clients are asked to subscribe again', async () => {
  const client = await server.connect();
  client.send({ type: 'subscribe', sessionId: PAST });
  await client.next('snapshot');
  past.grow(PAST, 'another way', { turned: true });
  expect(await client.next('resubscribe')).toMatchObject({ sessionId: PAST });
});

test('an unknown session is refused, and nothing is followed', async () => {
  const client = await server.connect();
  client.send({ type: 'subscribe', sessionId: 'past-0' });
  expect(await client.next('refused')).toMatchObject({ code: 'not-found' });
  expect([...past.followed.values()].every((count) => count === 0)).toBe(true);
});

test('lists get changed and removed past sessions, and the import progress', async () => {
  const client = await server.connect();
  client.send({ type: 'subscribe', sessionId: '*' });
  expect(await client.next('index')).toMatchObject({ phase: 'ready' });
  const session = await past.sessionIndex.session(PAST);
  if (session !== undefined) past.tell({ kind: 'session', session });
  expect(await client.next('status')).toMatchObject({ sessionId: PAST, status: 'ended' });
  past.tell({ kind: 'removed', sessionId: PAST });
  expect(await client.next('status')).toMatchObject({ sessionId: PAST, deleted: true });
  past.tell({ kind: 'progress', progress: { phase: 'reading', sessions: { done: 1, total: 2 }, bytes: { done: 1, total: 2 }, unreadable: [] } });
  expect(await client.next('index')).toMatchObject({ phase: 'reading', sessions: { done: 1, total: 2 } });
});

test('a search beyond its limits is refused with a readable message', async () => {
  expect((await server.fetch(`/api/search?q=${'x'.repeat(1000)}`)).status).toBe(200);
  const tooLong = await server.fetch(`/api/search?q=${'x'.repeat(1001)}`);
  expect([tooLong.status, (await tooLong.json()).error.message]).toEqual([400, expect.stringContaining('q')]);
  expect((await server.fetch('/api/search?q=x&limit=200')).status).toBe(200);
  expect((await server.fetch('/api/search?q=x&limit=201')).status).toBe(400);
});

test('every agent is listed, including one that can’t run here', async () => {
  const agents = [{ id: 'other', title: 'Other', icon: 'other' }] as never;
  const more = await startTestServer({}, { sessionIndex: { ...past.sessionIndex, agents, counts: async () => ({ other: 7 }) } });
  const listed = (await (await more.fetch('/api/agents')).json()).agents;
  expect(listed.at(-1)).toMatchObject({ id: 'other', available: false, sessions: 7, problem: expect.stringContaining('can’t run it') });
  await more.close();
});

test('a second subscription to a past session, and one that ends, don’t affect the others', async () => {
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

test('nobody can adopt or see a past session whose conversation is private to somebody else', async () => {
  const sessionIndex = { ...past.sessionIndex, pastIds: (conversations: readonly string[]) => conversations.map((id) => id.replace('of-', '') as SessionId) };
  const closed = await startTestServer({}, { sessionIndex });
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
  const session = await past.sessionIndex.session(PAST);
  if (session !== undefined) past.tell({ kind: 'session', session });
  client.send({ type: 'ping' });
  await client.next('pong');
  expect(client.frames.filter((frame) => frame.type === 'status')).toEqual([]);
  await closed.close();
});

test('only the owner of the server can make a session private that nobody has adopted', async () => {
  const body = JSON.stringify({ closed: true });
  const headers = { authorization: `Bearer ${server.token.driver}`, 'content-type': 'application/json' };
  expect((await server.fetch(`/api/sessions/${PAST}`, { method: 'PATCH', headers, body })).status).toBe(403);
});
