import { afterEach, beforeEach, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../../../test/support/server/test-server.ts';
import type { SessionId, TurnId } from '../../protocol/ids.ts';

const ID = 'mine' as SessionId;
const TURN = 'turn' as TurnId;

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer();
  await server.post('/api/sessions', { agent: 'stand-in', cwd: '/', id: ID, title: ID });
});
afterEach(() => server.close());

const as = (token: string) => ({ authorization: `Bearer ${token}` });
const unreadFor = async (token: string) => {
  const [one, list] = await Promise.all(
    [`/api/sessions/${ID}`, '/api/sessions'].map(async (path) => (await server.fetch(path, { headers: as(token) })).json()),
  );
  expect(list.sessions[0].unread).toBe(one.unread);
  return one.unread === true;
};
const see = (token: string, body: unknown) =>
  server.fetch(`/api/sessions/${ID}/seen`, { method: 'PUT', headers: { ...as(token), 'content-type': 'application/json' }, body: JSON.stringify(body) });
const unsee = (token: string) => server.fetch(`/api/sessions/${ID}/seen`, { method: 'DELETE', headers: as(token) });
const watch = async (token: string) => {
  const client = await server.connect(token);
  client.send({ type: 'subscribe', sessionId: '*' });
  return { client, first: await client.next('seen') };
};
const finish = () => {
  const [, end] = server.engine.observe(
    ID,
    { type: 'turn.started', turnId: TURN, cause: 'input' },
    { type: 'turn.completed', turnId: TURN, stopReason: 'end_turn', isError: false, interrupted: false, denials: 0 },
  );
  return end?.seq ?? 0;
};

test('[R763] what one page of a person has seen reaches their other pages, and nobody else', async () => {
  const { owner, viewer } = server.token;
  const [here, there, vera] = await Promise.all([watch(owner), watch(owner), watch(viewer)]);
  expect(here.first).toMatchObject({ reset: true, marks: {} });
  const seq = finish();
  expect(await Promise.all([owner, viewer].map(unreadFor))).toEqual([true, true]);
  expect(await (await see(owner, { seq })).json()).toEqual({ sessionId: ID, seq, unread: false });
  for (const { client } of [here, there]) expect(await client.next('seen')).toMatchObject({ marks: { [ID]: seq } });
  expect(await Promise.all([owner, viewer].map(unreadFor))).toEqual([false, true]);
  expect(await (await unsee(owner)).json()).toEqual({ sessionId: ID, seq: 0, unread: true });
  expect(await there.client.next('seen')).toMatchObject({ marks: { [ID]: 0 } });
  vera.client.send({ type: 'ping' });
  await vera.client.next('pong');
  expect(vera.client.frames.filter(({ type }) => type === 'seen')).toHaveLength(1);
  expect((await watch(owner)).first).toMatchObject({ reset: true, marks: { [ID]: 0 } });
});

test('[R763] the snapshot of a session says whether its subscriber has seen it', async () => {
  expect(await unreadFor(server.token.owner)).toBe(false);
  const seq = finish();
  const client = await server.connect();
  client.send({ type: 'subscribe', sessionId: ID });
  expect((await client.next('snapshot')).session).toMatchObject({ finished: { seq }, unread: true });
  await see(server.token.owner, { seq });
  client.send({ type: 'subscribe', sessionId: ID });
  expect((await client.next('snapshot')).session.unread).toBeUndefined();
});

test('[R764] an event that is not there yet can’t be seen, and what can’t be unread is refused in words', async () => {
  const early = await unsee(server.token.viewer);
  expect([early.status, (await early.json()).error.message]).toEqual([409, 'Nothing has finished in this session yet.']);
  await see(server.token.viewer, { seq: 1_000_000 });
  finish();
  expect(await unreadFor(server.token.viewer)).toBe(true);
  expect((await see(server.token.viewer, { seq: 1, upTo: 2 })).status).toBe(400);
  expect((await server.fetch('/api/sessions/nowhere/seen', { method: 'DELETE' })).status).toBe(404);
});

test('[R764] a private session of somebody else can be neither seen nor marked', async () => {
  await server.fetch(`/api/sessions/${ID}`, { method: 'PATCH', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ closed: true }) });
  expect((await see(server.token.viewer, { seq: 1 })).status).toBe(404);
  expect((await unsee(server.token.viewer)).status).toBe(404);
});
