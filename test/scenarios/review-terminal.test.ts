import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCli } from '../../src/cli/run-cli.ts';
import type { Annotation } from '../../src/protocol/api/annotations.ts';
import type { Session } from '../../src/protocol/session.ts';
import { createTerminal } from '../support/cli-terminal.ts';
import { api } from '../support/client.ts';
import { startServer, type TestServer } from '../support/real-server.ts';
import { waitFor } from '../support/wait-for.ts';

let server: TestServer;
let id: string;
beforeAll(async () => {
  server = await startServer();
  mkdirSync(server.project, { recursive: true });
  writeFileSync(join(server.project, 'a.txt'), 'one\ntwo\n');
  id = (await api<Session>(server, 'POST', '/api/sessions', { agent: 'demo', cwd: server.project })).body.id;
});
afterAll(() => server.close());

async function cli(word: string, ...argv: readonly string[]) {
  const terminal = createTerminal({
    dataDir: server.data,
    deps: { env: { NO_COLOR: '1' }, cwd: server.project, loadConfig: () => ({ data: server.data, host: '', port: 0, values: {}, from: {} }) },
  });
  const code = await runCli([word, ...argv], terminal.deps);
  return { code, out: terminal.out(), err: terminal.err() };
}

test('[R487] review lists, previews and sends the drafts of a session, and asks again for what was skipped', async () => {
  expect(await cli('review', id)).toMatchObject({ code: 0, out: '', err: 'No comments.\n' });
  expect(await cli('review', id, '--send')).toMatchObject({ code: 1, err: expect.stringContaining('no drafts') });
  const target = { type: 'code', file: 'a.txt', lineStart: 2 };
  const { body } = await api<Annotation>(server, 'POST', '/api/annotations', { sessionId: id, target, kind: 'action', text: 'Count to three.' });
  expect(await cli('review', id)).toMatchObject({ code: 0, out: `${body.annotationId}  draft action  a.txt:2  Count to three.\n` });
  expect((await cli('review', id, '--preview')).out).toContain('<quote>two</quote><comment>Count to three.</comment>');
  expect(await cli('review', id, '--send')).toMatchObject({ code: 0, out: expect.stringMatching(/^Sent 1 comments as review r/) });
  const listed = async () => JSON.parse((await cli('review', id, '--json')).out).annotations[0];
  await waitFor('the end of the review', async () => (await listed()).state === 'skipped');
  expect((await cli('review', id, '--preview', '--again')).out).toContain('Count to three.');
  expect((await cli('review', id, '--preview', '--send')).code).toBe(2);
  expect((await cli('review', 'nobody')).code).toBe(1);
});

test('blame names git’s own answer where Signalbox knows nothing, and one line of a file must be named', async () => {
  expect(await cli('blame', 'a.txt:1')).toMatchObject({ code: 0, out: 'one\nwritten by  unknown\n' });
  expect(JSON.parse((await cli('blame', 'a.txt:2', '--json')).out)).toMatchObject({ text: 'two', certainty: 'unknown' });
  expect((await cli('blame', 'a.txt')).code).toBe(2);
  expect((await cli('blame', 'a.txt:9')).err).toContain('has 2 lines, not 9');
});
