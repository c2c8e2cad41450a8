import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

const HOOK = resolve(import.meta.dirname, '../../bin/signalbox-hook');
const PAYLOAD = JSON.stringify({ session_id: 's-1', hook_event_name: 'Stop', stop_hook_active: false, tool_name: 'Bash', tool_input: {} });

let data: string;
let silent: Server;
let port: number;
beforeAll(async () => {
  data = mkdtempSync(join(tmpdir(), 'signalbox-hook-'));
  mkdirSync(join(data, 'hooks'));
  writeFileSync(join(data, 'hooks', 'claude-code.token'), `hook.claude-code.${'a'.repeat(43)}\n`);
  silent = createServer(() => {});
  await new Promise<void>((done) => silent.listen(0, '127.0.0.1', done));
  const address = silent.address();
  port = typeof address === 'object' ? (address?.port ?? 0) : 0;
});
afterAll(() => {
  silent.close();
  rmSync(data, { recursive: true, force: true });
});

const serverAt = (url: string): void => writeFileSync(join(data, 'server.json'), JSON.stringify({ url, pid: process.pid }));

function hook(does: string, env: Record<string, string> = {}): Promise<{ readonly code: number | null; readonly printed: string }> {
  return new Promise((done) => {
    const child = spawn('sh', [HOOK, process.execPath, data, 'claude-code', does], { env: { PATH: process.env.PATH ?? '', ...env } });
    let printed = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece: Buffer) => (printed += piece.toString()));
    child.stdin.on('error', () => {});
    child.stdin.end(PAYLOAD);
    child.once('close', (code) => done({ code, printed }));
  });
}

const SILENT = { code: 0, printed: '' };

test('[R540] a hook ends silently: in a run of ours, without a server, with one that is gone, with one that hangs', async () => {
  for (const does of ['ask', 'ran', 'tell', 'stop']) expect(await hook(does)).toEqual(SILENT);
  serverAt('http://127.0.0.1:1');
  for (const does of ['ask', 'ran', 'tell', 'stop']) expect(await hook(does)).toEqual(SILENT);
  // Nothing listens for it to end: with a run's variable it does not even connect.
  let connections = 0;
  silent.on('connection', () => (connections += 1));
  serverAt(`http://127.0.0.1:${port}`);
  expect(await hook('ask', { SIGNALBOX_RUN: 'r1' })).toEqual(SILENT);
  // A call that ran matters only while a request is open.
  expect(await hook('ran')).toEqual(SILENT);
  expect(connections).toBe(0);
  expect(await hook('stop')).toEqual(SILENT);
  expect(connections).toBe(1);
});

test('[R540] what an agent gives is not trusted: broken input ends silently too', async () => {
  const child = spawn('sh', [HOOK, process.execPath, data, 'claude-code', 'tell'], { env: { PATH: process.env.PATH ?? '' } });
  child.stdin.end('{"not json');
  const code = await new Promise((done) => child.once('close', done));
  expect([code, existsSync(join(data, 'hooks', 'open'))]).toEqual([0, true]);
});
