import { afterEach, beforeEach, expect, test } from 'vitest';
import * as z from 'zod/mini';
import type { TestClient } from '../../../test/support/server/test-client.ts';
import { startTestServer, type TestServer } from '../../../test/support/server/test-server.ts';
import type { EventBody } from '../../protocol/event.ts';
import { ServerFrame } from '../../protocol/frame.ts';
import type { ItemId, RequestId, SessionId } from '../../protocol/ids.ts';
import { LIMITS } from '../../protocol/limits.ts';
import { RESUME_EVENTS, SNAPSHOT_BYTES, WINDOW_EVENTS } from './snapshot.ts';

const S1 = 's1' as SessionId;
const note = (text: string): EventBody => ({ type: 'notice.shown', level: 'info', text });
const delta = (text: string, offset: number) => ({ itemId: 'i1', messageId: 'm1', index: 0, kind: 'text', text, offset }) as const;

let server: TestServer;
let client: TestClient;
beforeEach(async () => {
  server = await startTestServer();
  await server.post('/api/sessions', { agent: 'stand-in', cwd: '/', id: 's1' });
  client = await server.connect();
});
afterEach(() => server.close());

const fill = (events: number): void => {
  for (let index = 1; index < events; index += 1) server.engine.observe(S1, note(`${index}`));
};

test('[R106] a page of another protocol revision gets a readable error and is closed with 4400', async () => {
  for (const [v, words] of [
    [0, /older/],
    [2, /newer/],
  ] as const) {
    const page = await server.connect();
    page.send({ type: 'hello', v });
    expect((await page.next('refused')).message).toMatch(words);
    expect((await page.closed()).code).toBe(4400);
  }
});

test('the welcome says who is connected', async () => {
  const dora = await server.connect(server.token.driver);
  dora.send({ type: 'hello', v: 1 });
  const { id } = server.tokens.named('dora')!;
  expect((await dora.next('welcome')).you).toEqual({ id, name: 'dora', role: 'driver' });
});

test('an image whose first bytes don’t match its type is refused with a readable message', async () => {
  client.send({ type: 'input', sessionId: S1, commandId: 'c1', text: 'look', images: [{ mediaType: 'image/png', base64: '' }] });
  expect(await client.next('refused')).toMatchObject({ code: 'not-supported', commandId: 'c1', message: 'An image is empty.' });
  client.send({ type: 'input', sessionId: S1, commandId: 'c2', text: 'look', images: [{ mediaType: 'image/png', base64: 'AAAA' }] });
  expect(await client.next('refused')).toMatchObject({ commandId: 'c2', message: expect.stringContaining('labeled image/png') });
});

const bad: readonly (readonly [name: string, frame: unknown])[] = [
  ['no JSON', '{{'],
  ['an unknown type', { type: 'dance' }],
  ['a bad session id', { type: 'subscribe', sessionId: '../etc' }],
  ['a negative seq', { type: 'subscribe', sessionId: 's1', after: -1 }],
  ['an array', []],
  ['an input without its command id', { type: 'input', sessionId: 's1', text: 'x' }],
];
for (const [name, frame] of bad) {
  test(`${name} is refused with a readable message and the socket stays open`, async () => {
    client.send(frame);
    expect(await client.next('refused')).toMatchObject({ code: 'bad-request' });
    client.send({ type: 'ping' });
    await client.next('pong');
  });
}

test('a refusal names its command', async () => {
  client.send({ type: 'input', sessionId: 's1', commandId: 'c9', text: '' });
  expect(await client.next('refused')).toMatchObject({ commandId: 'c9', sessionId: 's1' });
  client.send({ type: 'input', sessionId: 'nowhere', commandId: 'c10', text: 'x' });
  expect(await client.next('refused')).toMatchObject({ commandId: 'c10', code: 'not-found' });
  client.send({ type: 'permission', requestId: 'none', behavior: 'allow', commandId: 'c11' });
  expect(await client.next('refused')).toMatchObject({ commandId: 'c11', code: 'not-found' });
});

test('[R103] text over its limit in bytes is refused, and a frame over its limit closes the socket', async () => {
  client.send({ type: 'input', sessionId: 's1', commandId: 'c1', text: 'ü'.repeat(LIMITS.messageTextBytes / 2 + 1) });
  expect(await client.next('refused')).toMatchObject({ commandId: 'c1', code: 'too-large' });
  client.send('x'.repeat(LIMITS.frameBytes + 1));
  expect((await client.closed()).code).toBe(1009);
});

test('a viewer watches but cannot send, interrupt or answer', async () => {
  server.engine.observe(S1, { type: 'permission.requested', requestId: 'r:1' as RequestId, agentRequestId: '1', tool: 'Bash', input: {}, kind: 'tool' });
  const viewer = await server.connect(server.token.viewer);
  viewer.send({ type: 'subscribe', sessionId: 's1' });
  await viewer.next('snapshot');
  viewer.send({ type: 'input', sessionId: 's1', commandId: 'a', text: 'x' });
  viewer.send({ type: 'interrupt', sessionId: 's1', commandId: 'b' });
  viewer.send({ type: 'permission', requestId: 'r:1', behavior: 'allow', commandId: 'c' });
  for (const commandId of ['a', 'b', 'c']) expect(await viewer.next('refused')).toMatchObject({ commandId, code: 'not-permitted' });
  expect(server.engine.permissions()).toHaveLength(1);
});

test('the same command sent twice is acknowledged twice and runs once', async () => {
  for (let times = 0; times < 2; times += 1) {
    client.send({ type: 'input', sessionId: 's1', commandId: 'c1', text: 'hello' });
    expect(await client.next('ack')).toMatchObject({ commandId: 'c1', seq: 2 });
  }
  expect(server.engine.session(S1)?.lastSeq).toBe(2);
});

test('an answer over the socket resolves the request under the person’s name', async () => {
  server.engine.observe(S1, { type: 'permission.requested', requestId: 'r:1' as RequestId, agentRequestId: '1', tool: 'Bash', input: {}, kind: 'tool' });
  client.send({ type: 'permission', requestId: 'r:1', behavior: 'deny', message: 'no', commandId: 'p1' });
  await client.next('ack');
  expect(server.engine.events(S1, { after: 2, limit: 1 })[0]).toMatchObject({ type: 'permission.resolved', outcome: 'denied', actor: { id: 'owner' } });
});

const windows: readonly (readonly [name: string, total: number, after: number | undefined, firstSeq: number, count: number])[] = [
  ['a new page gets all of a short session', 5, undefined, 1, 5],
  ['a new page gets exactly one window', WINDOW_EVENTS, undefined, 1, WINDOW_EVENTS],
  ['a new page gets the last window of a longer session', WINDOW_EVENTS + 1, undefined, 2, WINDOW_EVENTS],
  ['a page that is up to date gets nothing', 5, 5, 6, 0],
  ['a page one event behind gets one', 5, 4, 5, 1],
  ['a page that asks for events after 0 gets everything', 5, 0, 1, 5],
  ['a page far behind, but within the limit, gets all it missed', RESUME_EVENTS + 1, 1, 2, RESUME_EVENTS],
  ['a page too far behind gets a window', RESUME_EVENTS + 2, 1, RESUME_EVENTS + 3 - WINDOW_EVENTS, WINDOW_EVENTS],
  ['a page ahead of the journal gets a window', 5, 99, 1, 5],
];
for (const [name, total, after, firstSeq, count] of windows) {
  test(name, async () => {
    fill(total);
    client.send({ type: 'subscribe', sessionId: 's1', after });
    const snapshot = await client.next('snapshot');
    expect([snapshot.firstSeq, snapshot.events.length, snapshot.seq]).toEqual([firstSeq, count, total]);
    expect(snapshot.events.map((event) => event.seq)).toEqual(Array.from({ length: count }, (_, index) => firstSeq + index));
  });
}

test('a window of large events is limited by bytes, dropping the oldest', async () => {
  const large = 'x'.repeat(60_000);
  for (let index = 0; index < 150; index += 1) server.engine.observe(S1, note(large));
  client.send({ type: 'subscribe', sessionId: 's1', after: 1 });
  const snapshot = await client.next('snapshot');
  expect(JSON.stringify(snapshot.events).length).toBeLessThanOrEqual(SNAPSHOT_BYTES);
  expect(snapshot.events.at(-1)?.seq).toBe(151);
  expect(snapshot.events.length).toBe(151 - snapshot.firstSeq + 1);
  expect(snapshot.firstSeq).toBeGreaterThan(60);
});

test('text in progress comes with the snapshot, then live, and is dropped when the agent starts over', async () => {
  server.engine.stream(S1, delta('Hel', 0));
  client.send({ type: 'subscribe', sessionId: 's1' });
  expect((await client.next('snapshot')).partial).toMatchObject([{ itemId: 'i1', text: 'Hel', offset: 0 }]);
  server.engine.stream(S1, delta('lo "you"\n', 3));
  expect(await client.next('delta')).toEqual({ type: 'delta', sessionId: 's1', ...delta('lo "you"\n', 3) });
  server.engine.drop(S1, 'i1');
  expect(await client.next('delta.dropped')).toEqual({ type: 'delta.dropped', sessionId: 's1', itemId: 'i1' });
  server.engine.observe(S1, { type: 'assistant.text', itemId: 'i1' as ItemId, messageId: 'm1', index: 0, text: 'ok' });
  expect((await client.next('event')).event).toMatchObject({ type: 'assistant.text', text: 'ok' });
});

test('one socket watches many sessions and the list of all', async () => {
  await server.post('/api/sessions', { agent: 'stand-in', cwd: '/', id: 's2' });
  client.send({ type: 'subscribe', sessionId: '*' });
  expect((await client.next('sessions')).sessions.map((session) => session.id).sort()).toEqual(['s1', 's2']);
  for (const sessionId of ['s1', 's2']) client.send({ type: 'subscribe', sessionId });
  await client.next('snapshot');
  await client.next('snapshot');
  server.engine.observe('s2' as SessionId, { type: 'session.status', status: 'busy', cause: 'input' });
  expect(await client.next('event')).toMatchObject({ sessionId: 's2' });
  expect(await client.next('status')).toMatchObject({ sessionId: 's2', status: 'busy', session: { status: 'busy' } });
});

test('after unsubscribe nothing more of that session arrives', async () => {
  client.send({ type: 'subscribe', sessionId: 's1' });
  await client.next('snapshot');
  client.send({ type: 'unsubscribe', sessionId: 's1' });
  client.send({ type: 'ping' });
  await client.next('pong');
  server.engine.observe(S1, note('unseen'));
  client.send({ type: 'ping' });
  await client.next('pong');
  expect(client.frames.filter((frame) => frame.type === 'event')).toEqual([]);
});

test('deleting a session notifies those who watch it and the list', async () => {
  const lister = await server.connect();
  lister.send({ type: 'subscribe', sessionId: '*' });
  await lister.next('sessions');
  client.send({ type: 'subscribe', sessionId: 's1' });
  await client.next('snapshot');
  await server.fetch('/api/sessions/s1', { method: 'DELETE' });
  for (const each of [client, lister]) await each.until((frame) => frame.type === 'status' && frame.deleted === true);
  client.send({ type: 'subscribe', sessionId: 's1' });
  expect(await client.next('refused')).toMatchObject({ code: 'not-found', sessionId: 's1' });
});

test('small changes are batched, and none arrives after the session is deleted', async () => {
  client.send({ type: 'subscribe', sessionId: '*' });
  await client.next('sessions');
  server.engine.observe(S1, note('first, sent immediately'));
  for (let index = 0; index < 50; index += 1) server.engine.observe(S1, note('batched'));
  await client.until((frame) => frame.type === 'status' && frame.session?.lastSeq === 52);
  const statusFrames = client.frames.filter((frame) => frame.type === 'status').length;
  expect(statusFrames).toBeLessThan(10);
  server.engine.observe(S1, note('pending'));
  await server.fetch('/api/sessions/s1', { method: 'DELETE' });
  await server.post('/api/sessions', { agent: 'stand-in', cwd: '/', id: 's2' });
  for (const text of ['a', 'b']) server.engine.observe('s2' as SessionId, note(text));
  await client.until((frame) => frame.type === 'status' && frame.sessionId === 's2' && frame.session?.lastSeq === 3);
  const aboutS1 = client.frames.filter((frame) => frame.type === 'status' && frame.sessionId === 's1');
  expect(aboutS1.at(-1)).toMatchObject({ deleted: true });
});

test('notices reach every client', async () => {
  server.engine.notice('The disk is nearly full');
  expect(await client.next('notice')).toMatchObject({ text: 'The disk is nearly full' });
});

test('every frame matches the schema of the wire', async () => {
  client.send({ type: 'hello', v: 1 });
  client.send({ type: 'subscribe', sessionId: '*' });
  client.send({ type: 'subscribe', sessionId: 's1' });
  client.send({ type: 'input', sessionId: 's1', commandId: 'c1', text: 'ü'.repeat(70_000) });
  await client.next('ack');
  server.engine.stream(S1, delta('x'.repeat(200), 0));
  await client.next('delta');
  for (const frame of client.frames) expect(z.safeParse(ServerFrame, frame).error, frame.type).toBeUndefined();
  expect(client.frames.length).toBeGreaterThanOrEqual(5);
});
