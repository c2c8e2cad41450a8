import { afterEach, beforeEach, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { startTestServer, type TestServer } from '../../../test/support/server/test-server.ts';
import type { RunId, SessionId } from '../../protocol/ids.ts';
import { ROUTES } from '../http/routes/index.ts';
import { AGENT_ACCESS } from './agent-routes.ts';
import { openRunTokens } from './run-tokens.ts';

const RUN = 'r1' as RunId;

let server: TestServer;
let token: string;
beforeEach(async () => {
  server = await startTestServer();
  server.engine.runs.set(RUN, 's1' as SessionId);
  token = openRunTokens(server.dataDir).tokenOf(RUN);
});
afterEach(() => server.close());

const asAgent = (method: string, path: string, shown = token): Promise<Response> =>
  server.fetch(path, { method, headers: { authorization: `Bearer ${shown}` } });
/** An address of the route: `:id` becomes an id. */
const addressOf = (path: string): string => path.replace(/:\w+/g, 's1');

test('every route that needs a token says whether an agent’s token opens it', () => {
  const needed = ROUTES.filter(({ role }) => role !== 'public').map(({ method, path }) => `${method} ${path}`);
  expect(Object.keys(AGENT_ACCESS).toSorted()).toEqual([...needed, 'POST /sign-out', 'GET /ws'].toSorted());
});

test('[R309] an agent’s token is refused by every route that is not open to agents, before anything is read or done', async () => {
  const refused = Object.entries(AGENT_ACCESS).filter(([route, access]) => access === 'refused' && route !== 'GET /ws');
  expect(refused.length).toBeGreaterThan(70);
  for (const [route] of refused) {
    const [method = '', path = ''] = route.split(' ');
    const answer = await asAgent(method, addressOf(path));
    expect([route, answer.status, (await answer.json()).error.code]).toEqual([route, 403, 'not-permitted']);
  }
  // All that happened is that the audit knows.
  expect(server.engine.actors.filter(({ kind }) => kind !== 'agent')).toEqual([]);
});

test('[R309] pages, sockets and other methods are closed to it as well', async () => {
  for (const page of ['/', '/inbox', '/settings/people']) expect((await asAgent('GET', page)).status).toBe(403);
  expect((await asAgent('HEAD', '/api/sessions')).status).toBe(403);
  const address = `ws://127.0.0.1:${server.running.port}/ws`;
  for (const socket of [new WebSocket(`${address}?token=${token}`), new WebSocket(address, { headers: { authorization: `Bearer ${token}` } })]) {
    expect(
      await new Promise((resolve) => socket.once('unexpected-response', (_, response) => resolve(response.statusCode)).once('open', () => resolve('open'))),
    ).toBe(403);
  }
  expect((await asAgent('GET', '/healthz')).status).toBe(200);
});

test('[R310] the token is worth nothing once its run has ended, and a forged one counts as a wrong token', async () => {
  server.engine.runs.clear();
  const ended = await asAgent('GET', '/api/sessions');
  expect([ended.status, (await ended.json()).error.code]).toEqual([401, 'run-ended']);
  const forged = await asAgent('GET', '/api/sessions', token.replace('r1', 'r2'));
  expect([forged.status, (await forged.json()).error.code]).toEqual([401, 'unauthorised']);
});
