import { spawn } from 'node:child_process';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Event } from '../../src/protocol/event.ts';
import type { Session } from '../../src/protocol/session.ts';
import { api } from '../support/client.ts';
import { type FaultProxy, startFaultProxy } from '../support/fault-proxy.ts';
import { proofCount } from '../support/proof-length.ts';
import { commandLine, startServer, type TestServer } from '../support/real-server.ts';
import { seeded } from '../support/seeded.ts';

const DROPS = proofCount(10);

let server: TestServer;
let proxy: FaultProxy;
beforeAll(async () => {
  server = await startServer();
  proxy = await startFaultProxy(server.port);
});
afterAll(async () => {
  await proxy?.close();
  await server?.close();
});

test(`[R570] attach --json prints every event once and in order through ${DROPS} dropped sockets, and is valid to the last byte`, async () => {
  const seed = 7;
  const random = seeded(seed);
  const { body: session } = await api<Session>(server, 'POST', '/api/sessions', { agent: 'demo', cwd: server.project });
  const env = { PATH: process.env.PATH ?? '', HOME: server.home, SIGNALBOX_DATA: server.data, SIGNALBOX_URL: `http://127.0.0.1:${proxy.port}` };
  const child = spawn(process.execPath, [...commandLine(), 'attach', session.id, '--json', '--after', '0'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  let out = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text;
  });
  const printed = (): readonly Event[] =>
    out
      .slice(0, out.lastIndexOf('\n') + 1)
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  for (let drop = 0; drop < DROPS; drop += 1) {
    const before = out.length;
    await api(server, 'POST', `/api/sessions/${session.id}/input`, { text: `long ${50 + Math.floor(random() * 50)}` });
    await expect.poll(() => proxy.connections).toBeGreaterThan(0);
    // Half of them in the middle of what the agent says, the others right after connecting.
    if (random() < 0.5) await expect.poll(() => out.length).toBeGreaterThan(before);
    proxy.cut();
  }
  const all = async (): Promise<readonly Event[]> => {
    const events: Event[] = [];
    for (let page: Event[] = []; page.length > 0 || events.length === 0; events.push(...page)) {
      page = (await api<{ events: Event[] }>(server, 'GET', `/api/sessions/${session.id}/events?after=${events.at(-1)?.seq ?? 0}&limit=1000`)).body.events;
    }
    return events;
  };
  const isThrough = async (): Promise<boolean> => {
    const { body } = await api<Session>(server, 'GET', `/api/sessions/${session.id}`);
    return body.status === 'idle' && body.queue.length === 0 && printed().at(-1)?.seq === body.lastSeq;
  };
  await expect.poll(isThrough, { timeout: 240_000 }).toBe(true);
  child.kill('SIGINT');
  expect(await new Promise((resolve) => child.once('close', resolve)), `seed ${seed}`).toBe(0);
  expect(out.endsWith('\n')).toBe(true);
  expect(printed().length).toBeGreaterThan(DROPS * 5);
  expect(printed()).toEqual((await all()).slice(0, printed().length));
});
