import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTerminal } from '../../../test/support/cli-terminal.ts';
import { startTestServer, type TestServer } from '../../../test/support/server/test-server.ts';
import type { EventBody } from '../../protocol/event.ts';
import type { SessionId } from '../../protocol/ids.ts';
import { runCli } from '../run-cli.ts';

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer();
  writeFileSync(join(server.dataDir, 'server.json'), JSON.stringify({ url: server.running.localUrl, pid: process.pid }));
  await server.post('/api/sessions', { agent: 'stand-in', cwd: '/work', id: 's1' });
});
afterEach(() => server.close());

const call = async (...argv: string[]) => {
  const terminal = createTerminal({ dataDir: server.dataDir });
  return { code: await runCli(argv, terminal.deps), out: terminal.out(), err: terminal.err() };
};
const changed = (id: string, path: string, patch: string) =>
  server.engine.observe(
    's1' as SessionId,
    { type: 'tool.completed', toolUseId: id, output: '', isError: false, change: { kind: 'edit', path, patch } } as EventBody,
  );

test('changes prints one line per file, the patch of a named file, and JSON for programs', async () => {
  expect(await call('changes', 's1')).toMatchObject({ code: 0, out: '', err: 'No edited files.\n' });
  changed('1', 'a.ts', '@@ -1,1 +1,1 @@\n-x\n+y\u001b[31m\n');
  changed('2', 'b.ts', '@@ -1,1 +1,1 @@\n-x\n+y\n');
  expect(await call('changes', 's1')).toMatchObject({ out: '/work/a.ts edit +1 -1\n/work/b.ts edit +1 -1\n', err: '2 files, +2 -2\n' });
  expect((await call('changes', 's1', 'a.ts')).out).toBe('/work/a.ts edit +1 -1\n@@ -1,1 +1,1 @@\n-x\n+y\\x1b[31m\n\n');
  expect(JSON.parse((await call('changes', 's1', '--json')).out.split('\n')[1] ?? '')).toMatchObject({ path: '/work/b.ts', edits: [{ toolUseId: '2' }] });
  expect((await call('changes')).code).toBe(2);
  expect((await call('changes', 'unknown')).code).toBe(1);
});
