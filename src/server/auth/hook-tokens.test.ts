import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { startTestServer, type TestServer } from '../../../test/support/server/test-server.ts';
import { ROUTES } from '../http/routes/index.ts';
import { openHookTokens } from './hook-tokens.ts';

const TOKEN = `hook.claude-code.${'a'.repeat(43)}`;
const OPEN = [
  'POST /api/hooks/permission',
  'GET /api/hooks/permission/:askId',
  'POST /api/hooks/event',
  'GET /api/hooks/status',
  'GET /api/sessions/:id/input',
  'POST /api/sessions/:id/input/ack',
];

let server: TestServer;
let file: string;
beforeAll(async () => {
  let dataDir = '';
  server = await startTestServer({}, { hookTokens: { agentOf: (token) => openHookTokens(dataDir).agentOf(token) } });
  dataDir = server.dataDir;
  mkdirSync(join(dataDir, 'hooks'));
  file = join(dataDir, 'hooks', 'claude-code.token');
  writeFileSync(file, `${TOKEN}\n`, { mode: 0o600 });
});
afterAll(() => server.close());

const asHook = (method: string, path: string, token = TOKEN, body?: object): Promise<Response> =>
  server.fetch(path, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });

test('[R535] the token of hooks opens the routes of hooks and is refused by every other one', async () => {
  const others = ROUTES.filter(({ role, method, path }) => role !== 'public' && !OPEN.includes(`${method} ${path}`));
  expect(others.length).toBeGreaterThan(90);
  for (const { method, path } of others) {
    const answer = await asHook(method, path.replace(/:\w+/g, 's1'));
    expect([`${method} ${path}`, answer.status, (await answer.json()).error.code]).toEqual([`${method} ${path}`, 403, 'not-permitted']);
  }
  for (const page of ['/', '/inbox', '/settings/people']) expect((await asHook('GET', page)).status).toBe(403);
  const address = `ws://127.0.0.1:${server.running.port}/ws`;
  for (const socket of [new WebSocket(`${address}?token=${TOKEN}`), new WebSocket(address, { headers: { authorization: `Bearer ${TOKEN}` } })]) {
    expect(
      await new Promise((resolve) => socket.once('unexpected-response', (_, response) => resolve(response.statusCode)).once('open', () => resolve('open'))),
    ).toBe(403);
  }
  const signIn = await server.fetch(`/?token=${TOKEN}`, { headers: {}, redirect: 'manual' });
  expect(signIn.headers.get('set-cookie')).toBeNull();
});

test('[R535] it works only for sessions that hooks reported, and for its own agent', async () => {
  expect((await asHook('GET', '/api/hooks/status')).status).toBe(200);
  expect((await asHook('GET', '/api/sessions/s1/input')).status).toBe(403);
  expect((await asHook('POST', '/api/sessions/s1/input/ack', TOKEN, { commandId: 'c' })).status).toBe(403);
  expect((await asHook('POST', '/api/hooks/event', TOKEN, { agent: 'codex', askId: 'ask-12345', payload: {} })).status).toBe(403);
});

test('[R535] nobody else uses the routes of hooks, and without its file the token is worth nothing', async () => {
  for (const token of Object.values(server.token)) {
    expect((await asHook('POST', '/api/hooks/event', token, { agent: 'claude-code', askId: 'ask-12345', payload: {} })).status).toBe(403);
    expect((await asHook('GET', '/api/hooks/permission/ask-12345', token)).status).toBe(403);
  }
  expect((await asHook('GET', '/api/hooks/status', TOKEN.replace(/a$/, 'b'))).status).toBe(401);
  expect((await asHook('GET', '/api/hooks/status', `hook...-..-x.${'a'.repeat(43)}`)).status).toBe(401);
  rmSync(file);
  expect((await asHook('GET', '/api/hooks/status')).status).toBe(401);
});
