import { afterEach, beforeEach, expect, test } from 'vitest';
import type { TestClient } from '../../../test/support/server/test-client.ts';
import { startTestServer, type TestServer } from '../../../test/support/server/test-server.ts';
import type { Actor } from '../../protocol/actor.ts';
import type { EventBody } from '../../protocol/event.ts';
import type { ServerFrame } from '../../protocol/frame.ts';
import type { RequestId, SessionId } from '../../protocol/ids.ts';

const MINE = 'mine' as SessionId;
const OTHER = 'other' as SessionId;
const BOB: Actor = { kind: 'person', id: 'b', name: 'Bob' };
const RULE: Actor = { kind: 'rule', id: 'x', name: 'npm test' };

const asks = (requestId: string): EventBody => ({
  type: 'permission.requested',
  requestId: requestId as RequestId,
  agentRequestId: requestId,
  tool: 'Bash',
  input: { command: 'ls' },
  kind: 'tool',
});
type Outcome = 'allowed' | 'denied' | 'cancelled' | 'lapsed';
const ends = (requestId: string, outcome: Outcome, actor: Actor, more: object = {}): EventBody => ({
  type: 'permission.resolved',
  requestId: requestId as RequestId,
  outcome,
  actor,
  ...more,
});

let server: TestServer;
/** Created the session `mine`. */
let dora: TestClient;
/** Can see the session unless it is private. */
let otto: TestClient;

beforeEach(async () => {
  server = await startTestServer();
  for (const id of [MINE, OTHER]) await call(server.token.driver, 'POST', '/api/sessions', { agent: 'stand-in', cwd: '/', id, title: id });
  dora = await server.connect(server.token.driver);
  otto = await server.connect(server.tokens.add('otto', 'driver'));
});
afterEach(() => server.close());

const call = (token: string, method: string, path: string, body?: unknown): Promise<Response> =>
  server.fetch(path, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
const close = (closed: boolean) => call(server.token.driver, 'PATCH', `/api/sessions/${MINE}`, { closed });

const watch = async (client: TestClient) => {
  client.send({ type: 'subscribe', sessionId: '*' });
  return client.next('waiting');
};
/** Resolves when everything sent so far has arrived. */
const settled = async (client: TestClient) => {
  client.send({ type: 'ping' });
  await client.next('pong');
};
type WaitingFrame = Extract<ServerFrame, { type: 'waiting' }>;
const waitingFrames = ({ frames }: TestClient) => frames.filter((frame): frame is WaitingFrame => frame.type === 'waiting');

/** The state of a client that folds the frames. */
const pendingOf = (client: TestClient): readonly string[] =>
  waitingFrames(client).reduce<readonly string[]>((pending, { reset, added, resolved }) => {
    const ended = new Set<string>(resolved.map(({ requestId }) => requestId));
    const fresh = added.map(({ requestId }) => requestId);
    return [...(reset ? [] : pending.filter((id) => !ended.has(id) && !fresh.includes(id as RequestId))), ...fresh];
  }, []);

test('[R308] the first frame has every pending request, in the shape of GET /api/permissions', async () => {
  expect(await watch(dora)).toEqual({ type: 'waiting', reset: true, added: [], resolved: [] });
  server.engine.observe(MINE, asks('r1'));
  server.engine.observe(OTHER, asks('r2'));
  const first = await watch(otto);
  expect(first).toMatchObject({ reset: true, resolved: [] });
  expect(first.added).toEqual((await (await server.fetch('/api/permissions')).json()).permissions);
  expect(first.added.map(({ requestId }) => requestId)).toEqual(['r1', 'r2']);
});

test('[R308] new and ended requests arrive in one frame per commit, with the outcome as in the event', async () => {
  await watch(dora);
  server.engine.observe(MINE, asks('r1'), asks('r2'), asks('r3'));
  expect((await dora.next('waiting')).added.map(({ requestId, sessionTitle }) => [requestId, sessionTitle])).toEqual([
    ['r1', 'mine'],
    ['r2', 'mine'],
    ['r3', 'mine'],
  ]);
  server.engine.observe(MINE, ends('r1', 'denied', BOB, { message: 'not today' }));
  const [denied] = server.engine.events(MINE, { before: Number.MAX_SAFE_INTEGER, limit: 1 });
  const answer = { requestId: 'r1', outcome: 'denied', by: BOB, at: denied?.at, message: 'not today' };
  expect(await dora.next('waiting')).toEqual({ type: 'waiting', added: [], resolved: [answer] });
  server.engine.observe(MINE, ends('r2', 'allowed', BOB, { updatedInput: { command: 'pwd' } }), ends('r3', 'lapsed', { ...BOB, kind: 'system' }), asks('r4'));
  const last = await dora.next('waiting');
  expect(last.added.map(({ requestId }) => requestId)).toEqual(['r4']);
  expect(last.resolved).toMatchObject([
    { requestId: 'r2', outcome: 'allowed', by: BOB, changed: true },
    { requestId: 'r3', outcome: 'lapsed', by: { kind: 'system' } },
  ]);
  expect(pendingOf(dora)).toEqual(['r4']);
});

test('[R308] a request that a rule answers immediately is never sent; one that a rule answers later ends with that rule', async () => {
  await watch(dora);
  server.engine.observe(MINE, asks('r1'), ends('r1', 'allowed', RULE));
  server.engine.observe(MINE, asks('r2'));
  server.engine.observe(MINE, ends('r2', 'allowed', RULE));
  await settled(dora);
  const [, added, resolved, ...more] = waitingFrames(dora);
  expect(added?.added.map(({ requestId }) => requestId)).toEqual(['r2']);
  expect(resolved?.resolved).toMatchObject([{ requestId: 'r2', by: RULE }]);
  expect(more).toEqual([]);
});

test('[R308] the frame comes after its event and before the new status', async () => {
  await watch(dora);
  dora.send({ type: 'subscribe', sessionId: MINE });
  await dora.next('snapshot');
  const before = dora.frames.length;
  server.engine.observe(MINE, asks('r1'));
  server.engine.observe(MINE, ends('r1', 'allowed', BOB));
  await settled(dora);
  const order = dora.frames.slice(before).map(({ type }) => type);
  expect(order.filter((type) => type === 'event' || type === 'waiting' || type === 'status')).toEqual([
    ...['event', 'waiting', 'status'],
    ...['event', 'waiting', 'status'],
  ]);
});

test('[R308] only list subscribers get it', async () => {
  dora.send({ type: 'subscribe', sessionId: MINE });
  await dora.next('snapshot');
  await watch(otto);
  otto.send({ type: 'unsubscribe', sessionId: '*' });
  await settled(otto);
  server.engine.observe(MINE, asks('r1'));
  await Promise.all([settled(dora), settled(otto)]);
  expect([waitingFrames(dora).length, waitingFrames(otto).length]).toEqual([0, 1]);
});

test('[R308] a private session’s requests go to its owner only', async () => {
  await close(true);
  await Promise.all([watch(dora), watch(otto)]);
  server.engine.observe(MINE, asks('r1'));
  server.engine.observe(MINE, asks('r2'));
  server.engine.observe(MINE, ends('r1', 'denied', BOB));
  await Promise.all([settled(dora), settled(otto)]);
  expect([pendingOf(dora), pendingOf(otto)]).toEqual([['r2'], []]);
  const again = await watch(otto);
  expect([again.added, again.resolved]).toEqual([[], []]);
  expect(JSON.stringify(otto.frames)).not.toContain(MINE);
});

for (const isWatched of [true, false]) {
  const who = isWatched ? 'while somebody else has it open' : 'while nobody else has it open';
  test(`[R308] a session’s requests leave other people’s lists when it becomes private, and return when it becomes public (${who})`, async () => {
    await Promise.all([watch(dora), watch(otto)]);
    if (isWatched) {
      otto.send({ type: 'subscribe', sessionId: MINE });
      await otto.next('snapshot');
    }
    server.engine.observe(OTHER, asks('r0'));
    server.engine.observe(MINE, asks('r1'));
    await settled(otto);
    expect(pendingOf(otto)).toEqual(['r0', 'r1']);
    const framesOfDora = waitingFrames(dora).length;

    await close(true);
    await settled(otto);
    expect(pendingOf(otto)).toEqual(['r0']);
    server.engine.observe(MINE, asks('r2'), ends('r1', 'denied', BOB));
    await settled(otto);
    expect(pendingOf(otto)).toEqual(['r0']);
    await close(false);
    await Promise.all([settled(dora), settled(otto)]);
    expect([...pendingOf(otto)].sort()).toEqual(['r0', 'r2']);
    expect([...pendingOf(dora)].sort()).toEqual(['r0', 'r2']);
    // The owner of the session gets one frame only: the new request.
    expect(waitingFrames(dora).length).toBe(framesOfDora + 1);
  });
}

test('[R308] deleting a session removes its pending requests', async () => {
  await watch(otto);
  server.engine.observe(OTHER, asks('r0'));
  server.engine.observe(MINE, asks('r1'));
  await call(server.token.owner, 'DELETE', `/api/sessions/${MINE}`);
  await otto.until((frame) => frame.type === 'status' && frame.deleted === true);
  expect(pendingOf(otto)).toEqual(['r0']);
});

test('[R308] a page that was disconnected learns how requests ended, except in sessions it can’t see', async () => {
  server.engine.observe(OTHER, asks('r0'));
  server.engine.observe(MINE, asks('r1'));
  server.engine.observe(OTHER, ends('r0', 'allowed', BOB));
  server.engine.observe(MINE, ends('r1', 'denied', BOB));
  await close(true);
  expect((await watch(otto)).resolved).toMatchObject([{ requestId: 'r0', outcome: 'allowed', by: BOB }]);
  expect((await watch(dora)).resolved.map(({ requestId }) => requestId)).toEqual(['r0', 'r1']);
});
