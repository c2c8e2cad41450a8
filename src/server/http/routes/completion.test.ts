import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../../../../test/support/server/test-server.ts';
import type { SessionId } from '../../../protocol/ids.ts';

let server: TestServer;
let folder: string;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'signalbox-find-'));
  mkdirSync(join(folder, 'src'));
  for (const name of ['src/cart.ts', 'src/order.ts', 'notes.md']) writeFileSync(join(folder, name), '');
  server = await startTestServer({}, { allowedRoots: { roots: [realpathSync(tmpdir())], dataFolder: '/nowhere' } });
  await server.post('/api/sessions', { agent: 'stand-in', cwd: folder, id: 's1' });
});
afterEach(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

const asked = async (path: string, token = server.token.driver) => server.fetch(path, { headers: { authorization: `Bearer ${token}` } });

test('text after an @ finds files in the session’s own folder', async () => {
  const response = await asked('/api/sessions/s1/file-names?find=cart');

  expect([response.status, await response.json()]).toEqual([200, { files: ['src/cart.ts'], whole: true }]);
});

test('viewers can’t see file names, and a session that doesn’t exist has none', async () => {
  expect((await asked('/api/sessions/s1/file-names', server.token.viewer)).status).toBe(403);
  expect((await asked('/api/sessions/nobody/file-names')).status).toBe(404);
});

const started = (...names: readonly string[]) => ({
  type: 'session.started' as const,
  agentSessionId: 'a1',
  tools: [],
  commands: names.map((name) => ({ name })),
  mcpServers: [],
  cwd: folder,
});
const commandsOf = async (id: string) => (await (await asked(`/api/sessions/${id}/commands`)).json()).commands.map(({ name }: { name: string }) => name);

test('the commands are those the agent reported last, however long ago', async () => {
  const note = { type: 'notice.shown' as const, level: 'info' as const, text: 'on and on' };
  server.engine.observe('s1' as SessionId, started('compact'), started('compact', 'review'));
  server.engine.observe('s1' as SessionId, ...Array.from({ length: 4000 }, () => note));

  expect(await commandsOf('s1')).toEqual(['compact', 'review']);
});

test('a session without commands of its own gets those of other sessions in its folder', async () => {
  server.engine.observe('s1' as SessionId, started('compact'));
  await server.post('/api/sessions', { agent: 'stand-in', cwd: folder, id: 's2' });
  await server.post('/api/sessions', { agent: 'stand-in', cwd: tmpdir(), id: 's3' });

  expect([await commandsOf('s2'), await commandsOf('s3')]).toEqual([['compact'], []]);
});
