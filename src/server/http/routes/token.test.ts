import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../../../../test/support/server/test-server.ts';
import { readNamedTokens, revokeNamedToken } from '../../auth/named-tokens.ts';

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer();
});
afterEach(() => server.close());

const by = (token: string) => ({ authorization: `Bearer ${token}` });
const add = async (name: string, role = 'driver'): Promise<string> => (await (await server.post('/api/tokens', { name, role })).json()).token;
const revoke = (name: string) => server.fetch(`/api/tokens/${name}`, { method: 'DELETE' });

test('a token is created over HTTP, its secret is shown once, and it works immediately', async () => {
  const response = await server.post('/api/tokens', { name: 'otto', role: 'viewer' });
  expect(response.status).toBe(201);
  const made = await response.json();
  expect(made).toEqual({ name: 'otto', role: 'viewer', token: expect.any(String) });
  expect((await server.fetch('/api/sessions', { headers: by(made.token) })).status).toBe(200);
  const list = await (await server.fetch('/api/tokens')).text();
  expect(JSON.parse(list).tokens).toMatchObject([
    { id: 'owner', name: 'owner', role: 'owner', lastUsedAt: expect.any(String) },
    { name: 'dora', role: 'driver', createdAt: expect.any(String) },
    { name: 'vera', role: 'viewer' },
    { id: expect.stringMatching(/^otto:/), name: 'otto', role: 'viewer', lastUsedAt: expect.any(String) },
  ]);
  for (const secret of [made.token, server.token.owner, 'sha256']) expect(list).not.toContain(secret);
  expect(readFileSync(join(server.dataDir, 'token-uses.json'), 'utf8')).not.toContain(made.token);
});

test('everyone can see who they are and what they can do', async () => {
  const asked = Object.values(server.token).map(async (token) => (await server.fetch('/api/me', { headers: by(token) })).json());
  expect(await Promise.all(asked)).toEqual(
    expect.arrayContaining([
      { id: 'owner', name: 'owner', role: 'owner' },
      { id: expect.stringMatching(/^dora/), name: 'dora', role: 'driver' },
      { id: expect.stringMatching(/^vera/), name: 'vera', role: 'viewer' },
    ]),
  );
});

test('the list is the same as on the command line', async () => {
  await add('otto');
  expect(readNamedTokens(server.dataDir).map((token) => token.name)).toEqual(['dora', 'vera', 'otto']);
});

test('a taken or invalid name is refused with a readable message', async () => {
  const statuses = [];
  for (const body of [
    { name: 'dora', role: 'driver' },
    { name: 'owner', role: 'driver' },
    { name: 'a\u202eb', role: 'driver' },
    { name: 'otto', role: 'king' },
  ]) {
    statuses.push((await server.post('/api/tokens', body)).status);
  }
  expect(statuses).toEqual([409, 409, 400, 400]);
  expect((await (await server.post('/api/tokens', { name: 'owner', role: 'driver' })).json()).error.message).toMatch(/Choose another name/);
});

test('only an owner can list, create and revoke tokens', async () => {
  for (const token of [server.token.driver, server.token.viewer]) {
    const asked = [
      await server.fetch('/api/tokens', { headers: by(token) }),
      await server.post('/api/tokens', { name: 'mine', role: 'owner' }, by(token)),
      await server.fetch('/api/tokens/vera', { method: 'DELETE', headers: by(token) }),
    ];
    expect(asked.map((response) => response.status)).toEqual([403, 403, 403]);
  }
  expect(readNamedTokens(server.dataDir)).toHaveLength(2);
});

test('a revoked token stops working immediately, its open sockets too', async () => {
  const token = await add('otto');
  const socket = await server.connect(token);
  expect((await revoke('otto')).status).toBe(200);
  expect(await socket.closed()).toMatchObject({ code: 4401, reason: 'This token was revoked' });
  expect((await server.fetch('/api/sessions', { headers: by(token) })).status).toBe(401);
  expect((await revoke('otto')).status).toBe(404);
  expect((await revoke('owner')).status).toBe(409);
});

test('a token revoked in the file can’t send commands over an open socket', async () => {
  await server.post('/api/sessions', { agent: 'stand-in', cwd: '/', id: 's1' });
  const socket = await server.connect(await add('otto'));
  revokeNamedToken(server.dataDir, 'otto');
  socket.send({ type: 'input', sessionId: 's1', commandId: 'c1', text: 'too late' });
  expect((await socket.closed()).code).toBe(4401);
  expect(server.engine.events('s1' as never, { after: 0, limit: 9 }).map((event) => event.type)).toEqual(['session.created']);
});

test('a reused name is a new token with a new id', async () => {
  await add('otto');
  const idOf = () => server.tokens.list().find((token) => token.name === 'otto')?.id;
  const first = idOf();
  await revoke('otto');
  await add('otto');
  expect(idOf()).not.toBe(first);
});

test('[R820] a broken token list lets nobody in except the owner, and the server keeps running', async () => {
  const socket = await server.connect(server.token.driver);
  writeFileSync(join(server.dataDir, 'tokens.json'), 'not a list');
  socket.send({ type: 'ping' });
  expect((await socket.closed()).code).toBe(4401);
  expect((await server.fetch('/api/me')).status).toBe(200);
  expect((await server.fetch('/api/me', { headers: by(server.token.driver) })).status).toBe(401);
});
