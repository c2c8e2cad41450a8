import { afterEach, beforeEach, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../../../test/support/server/test-server.ts';
import type { EventBody } from '../../protocol/event.ts';
import type { RequestId, SessionId, TurnId } from '../../protocol/ids.ts';

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer();
});
afterEach(() => server.close());

const create = async (id: string): Promise<SessionId> => {
  await server.post('/api/sessions', { agent: 'stand-in', cwd: '/', id, title: id });
  return id as SessionId;
};
const began: EventBody = { type: 'turn.started', turnId: 't' as TurnId, cause: 'input' };
const ended = (more: object = {}): EventBody => ({
  type: 'turn.completed',
  turnId: 't' as TurnId,
  stopReason: 'end_turn',
  isError: false,
  interrupted: false,
  denials: 0,
  ...more,
});
const writes = (path: string): EventBody => ({
  type: 'tool.completed',
  toolUseId: path,
  output: '',
  isError: false,
  change: { kind: 'edit', path, patch: '@@ -1,1 +1,1 @@\n-a\n+b\n' },
});
const asks: EventBody = { type: 'permission.requested', requestId: 'r' as RequestId, agentRequestId: 'r', tool: 'Bash', input: {}, kind: 'tool' };
const recap = async (query: string, token = server.token.owner) =>
  (await server.fetch(`/api/recap?${query}`, { headers: { authorization: `Bearer ${token}` } })).json();

test('[R765] a recap says what finished, failed and needs somebody, how many files changed, and the cost as far as it is known', async () => {
  const since = new Date(Date.now() - 1000).toISOString();
  const ids = await Promise.all(['well', 'badly', 'asking', 'stopped', 'secret'].map(create));
  const [well, badly, asking, stopped, secret] = ids as [SessionId, SessionId, SessionId, SessionId, SessionId];
  server.engine.observe(well, began, writes('/a'), writes('/b'), ended({ costUsd: 0.5 }), began, writes('/a'), ended({ costUsd: 0.25 }));
  server.engine.observe(badly, began, writes('/a'), ended({ isError: true, stopReason: 'error' }));
  server.engine.observe(asking, began, ended({ costUsd: 1 }), began, asks);
  server.engine.observe(stopped, began, ended({ interrupted: true, stopReason: 'interrupted' }));
  server.engine.observe(secret, began, writes('/c'), ended({ costUsd: 10 }));
  await server.fetch(`/api/sessions/${secret}`, { method: 'PATCH', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ closed: true }) });
  expect(await recap(`since=${since}`, server.token.viewer)).toEqual({
    since,
    finished: [well],
    failed: [badly],
    needsYou: [asking],
    files: 2,
    costUsd: 1.75,
    unpriced: 2,
  });
  expect((await recap(`since=${since}`)).files).toBe(3);
});

test('[R765] a recap leaves out what happened before and after', async () => {
  const id = await create('one');
  server.engine.observe(id, began, writes('/a'), ended());
  const nothing = { finished: [], failed: [], needsYou: [], files: 0, unpriced: 0 };
  expect(await recap(`since=${new Date(Date.now() + 60_000).toISOString()}`)).toMatchObject(nothing);
  expect(await recap('since=2020-01-01&until=2020-01-02')).toMatchObject(nothing);
  expect((await server.fetch('/api/recap?since=yesterday')).status).toBe(400);
});

test('[R765] a recap of more events than are read says so', async () => {
  const id = await create('long');
  server.engine.observe(id, ...Array.from({ length: 3100 }, () => began), ended());
  expect(await recap('since=2020-01-01')).toMatchObject({ finished: [id], isCut: true });
});
