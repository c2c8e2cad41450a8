import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTerminal } from '../../../test/support/cli-terminal.ts';
import { startTestServer, type TestServer } from '../../../test/support/server/test-server.ts';
import { addNamedToken, readNamedTokens, revokeNamedToken } from '../../server/auth/named-tokens.ts';
import { runCli } from '../run-cli.ts';

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer();
  mkdirSync(server.dataDir, { recursive: true });
  writeFileSync(join(server.dataDir, 'server.json'), JSON.stringify({ url: server.running.localUrl, pid: process.pid }));
  await server.post('/api/sessions', { agent: 'stand-in', cwd: '/', id: 's1' });
});
afterEach(() => server.close());

const tokens = { add: addNamedToken, list: readNamedTokens, revoke: revokeNamedToken };
const call = async (...argv: string[]) => {
  const terminal = createTerminal({ dataDir: server.dataDir, deps: { tokens } });
  return { code: await runCli(argv, terminal.deps), out: terminal.out(), err: terminal.err() };
};

test('the audit is a table for people and lines of JSON for programs', async () => {
  await server.post('/api/sessions/s1/input', { text: 'hello' }, { authorization: `Bearer ${server.token.driver}` });
  expect((await call('audit')).out).toMatch(
    /TIME +WHO +FROM +SESSION +WHAT\n.* dora +http 127\.0\.0\.1 +s1 +sent a message \(5 characters\)\n.* owner .*created a session/,
  );
  const lines = (await call('audit', '--json', '--actor', 'dora')).out.trim().split('\n');
  expect(lines.map((line) => JSON.parse(line).action)).toEqual(['input.accepted']);
  expect((await call('audit', '--session', 'none')).out).toBe('No matching entries.\n');
});

test('terminal commands in people’s text are escaped', async () => {
  const actor = { kind: 'person', id: 'x', name: 'x\u001b[31m', from: 'page \u001b]0;y\u0007' } as const;
  server.engine.observe('s1' as never, { type: 'meta.changed', star: true, actor });
  expect((await call('audit')).out).not.toContain('\u001b');
});

test('tokens are created and revoked through the running server', async () => {
  const added = await call('token', 'add', 'otto', '--role', 'viewer');
  expect(server.tokens.verify(added.out.trim())).toMatchObject({ name: 'otto', role: 'viewer' });
  const socket = await server.connect(added.out.trim());
  expect((await call('token', 'revoke', 'otto')).code).toBe(0);
  expect((await socket.closed()).code).toBe(4401);
  expect((await call('token', 'revoke', 'otto')).code).toBe(1);
  expect((await call('token', 'add', 'dora')).err).toContain('already');
});
