import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTerminal } from '../../../test/support/cli-terminal.ts';
import { startTestServer, type TestServer } from '../../../test/support/server/test-server.ts';
import type { CommandId, SessionId } from '../../protocol/ids.ts';
import { writeServerFile } from '../../server/server-file.ts';
import { runCli } from '../run-cli.ts';

let server: TestServer;
const ID = 's1' as SessionId;
beforeAll(async () => {
  server = await startTestServer();
  writeServerFile(server.dataDir, { url: server.running.localUrl, pid: process.pid });
  const command = { type: 'session.create', sessionId: ID, commandId: 'c1' as CommandId, agent: 'demo' as never, cwd: '/tmp', options: {} } as const;
  await server.engine.submit(command, { kind: 'person', id: 'ada', name: 'Ada' });
});
afterAll(() => server.close());

async function queue(...argv: readonly string[]) {
  const terminal = createTerminal({ dataDir: server.dataDir, isTTY: false });
  const code = await runCli(['queue', ...argv], terminal.deps);
  return { code, out: terminal.out(), err: terminal.err() };
}
const types = () => server.engine.events(ID, { after: 0, limit: 100 }).map((event) => event.type);

test('queue shows that nothing is queued, and sends what it is asked to do', async () => {
  expect(await queue(ID)).toMatchObject({ code: 0, out: 'Nothing is queued.\n' });
  for (const flag of ['--pause', '--resume', '--clear']) expect((await queue(ID, flag)).code).toBe(0);
  expect(types().filter((type) => type.startsWith('queue.'))).toEqual(['queue.paused', 'queue.resumed']);
  expect(JSON.parse((await queue(ID, '--json')).out)).toMatchObject({ queue: [] });
});

test('queue without a session, or with two things to do, is wrong usage', async () => {
  expect((await queue()).code).toBe(2);
  expect(await queue(ID, '--pause', '--clear')).toMatchObject({ code: 2, err: expect.stringContaining('use one of') });
  expect((await queue('nobody')).code).toBe(1);
});
