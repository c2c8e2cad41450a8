import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTerminal } from '../../../test/support/cli-terminal.ts';
import { startTestServer, type TestServer } from '../../../test/support/server/test-server.ts';
import { writeServerFile } from '../../server/server-file.ts';
import { runCli } from '../run-cli.ts';

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer();
  writeServerFile(server.dataDir, { url: server.running.localUrl, pid: process.pid });
  await server.post('/api/sessions', { agent: 'stand-in', cwd: '/', id: 'abc1', title: 'Fix the\tlogin' });
  await server.post('/api/sessions', { agent: 'stand-in', cwd: '/', id: 'xyz2' });
});
afterEach(() => server.close());

async function completed(words: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<readonly string[]> {
  const terminal = createTerminal({ dataDir: server.dataDir, deps: { env: { SIGNALBOX_DATA: server.dataDir, ...env } } });
  expect(await runCli(['complete', '--', ...words], terminal.deps)).toBe(0);
  expect(terminal.err()).toBe('');
  return terminal.out().split('\n').slice(0, -1);
}
const firsts = (lines: readonly string[]): readonly string[] => lines.map((line) => line.split('\t')[0] ?? '');

test('verbs, flags and what they mean', async () => {
  expect(firsts(await completed(['a']))).toEqual(['attach', 'answer', 'audit']);
  expect(firsts(await completed(['complet']))).toEqual(['completion']);
  expect(await completed(['send', 'abc1', '--wa'])).toEqual(["--wait\twait for the end of its turn and print the agent's answer"]);
  expect(await completed(['service', 're'])).toEqual(['remove\t']);
  for (const words of [
    ['unknown', ''],
    ['export', 'abc1', '--output', ''],
    ['send', 'abc1', ''],
  ])
    expect(await completed(words)).toEqual([':file']);
});

test('session ids with their titles, on one line each', async () => {
  const lines = await completed(['attach', 'a']);
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(/^abc1\tFix the login \(\w+\)$/);
  expect(firsts(await completed(['wait', 'abc1', '']))).toEqual(expect.arrayContaining(['abc1', 'xyz2']));
  expect(firsts(await completed(['run', 'x', '--session', 'xy']))).toEqual(['xyz2']);
});

test('[R577] completion asks only a server on this machine, and without one it is silent', async () => {
  const asked: string[] = [];
  const other = createServer((request, response) => {
    asked.push(request.url ?? '');
    response.end('{"sessions":[{"id":"far1","title":"","status":""}]}');
  });
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const port = Object(other.address()).port;
  // The same port by a name that leads here, but that could lead anywhere.
  expect(await completed(['attach', ''], { SIGNALBOX_URL: `http://127.0.0.1.nip.io:${port}` })).toEqual([]);
  expect(await completed(['attach', ''], { SIGNALBOX_URL: `https://box.example.org:${port}` })).toEqual([]);
  expect(asked).toEqual([]);
  expect(firsts(await completed(['attach', ''], { SIGNALBOX_URL: `http://127.0.0.1:${port}` }))).toEqual(['far1']);
  await new Promise((resolve) => other.close(resolve));
  const empty = mkdtempSync(join(tmpdir(), 'signalbox-none-'));
  writeFileSync(join(empty, 'server.json'), 'broken');
  expect(await completed(['attach', ''], { SIGNALBOX_DATA: empty })).toEqual([]);
  rmSync(empty, { recursive: true });
});

test('[R577] inside a run, completion has only the token of the run', async () => {
  expect(await completed(['attach', ''], { SIGNALBOX_RUN: 'r1', SIGNALBOX_TOKEN: 'test-token' })).toEqual([]);
});
