import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTranscript } from '../../src/domain/transcript/transcript.ts';
import type { SessionHealth } from '../../src/protocol/api/health.ts';
import type { Event } from '../../src/protocol/event.ts';
import type { SessionId } from '../../src/protocol/ids.ts';
import { api, connectClient } from '../support/client.ts';
import { commandLine, startServer, type TestServer } from '../support/real-server.ts';

const ROOT = resolve(import.meta.dirname, '../..');

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

/** Creates a session in which the demo agent has answered once. */
async function answeredSession(): Promise<string> {
  const id = `s-${randomUUID()}`;
  expect((await api(server, 'POST', '/api/sessions', { id, agent: 'demo', cwd: server.project, prompt: 'hello there' })).status).toBe(201);
  const client = await connectClient(server);
  client.send({ type: 'subscribe', sessionId: id as SessionId });
  await client.waitFor(() => client.events(id).some((event) => event.type === 'turn.completed'));
  client.close();
  return id;
}

const eventsOf = async (id: string): Promise<Event[]> => (await api<{ events: Event[] }>(server, 'GET', `/api/sessions/${id}/events?limit=1000`)).body.events;

test('marks on a message and private drafts survive a server that is killed right after it confirms them', async () => {
  const id = await answeredSession();
  const answer = (await eventsOf(id)).find((event) => event.type === 'assistant.text');
  expect((await api(server, 'PATCH', `/api/sessions/${id}/items/${answer?.seq}`, { star: true, tags: ['keep'], note: 'why' })).status).toBe(200);
  expect((await api(server, 'PATCH', '/api/state', { drafts: { [id]: 'half a sentence' } })).status).toBe(200);
  await server.kill9();
  await server.restart();
  expect((await api(server, 'GET', '/api/state')).body).toEqual({ drafts: { [id]: 'half a sentence' } });
  const items = [...openTranscript(await eventsOf(id)).items.values()];
  expect(items.find((item) => item.seq === answer?.seq)?.marks).toMatchObject({ star: true, tags: ['keep'], note: 'why' });
});

test('[R515] exports include the comments, escaped, with their state', async () => {
  const id = await answeredSession();
  const answer = (await eventsOf(id)).find((event) => event.type === 'assistant.text');
  const target = { type: 'conversation', sessionId: id };
  const text = 'Why <script>alert(1)</script>?';
  expect((await api(server, 'POST', '/api/annotations', { sessionId: id, target, seq: answer?.seq, kind: 'question', text })).status).toBe(201);
  const exported = async (format: string) =>
    (await fetch(`${server.url}/api/sessions/${id}/export?format=${format}`, { headers: { authorization: `Bearer ${server.token}` } })).text();
  const [md, html] = [await exported('md'), await exported('html')];
  expect([md.includes('### Question · message · draft'), md.includes('Why &lt;script>')]).toEqual([true, true]);
  expect([html.includes('Question · message · draft'), html.includes('<script>')]).toEqual([true, false]);
});

test('a healthy session reports no pressure and no findings', async () => {
  const id = await answeredSession();
  const { status, body } = await api<SessionHealth>(server, 'GET', `/api/sessions/${id}/health`);
  expect([status, body.pressure, body.compactions, body.findings]).toEqual([200, 'none', [], []]);
  expect(body.seq).toBe((await eventsOf(id)).at(-1)?.seq);
});

test('the command line exports a session to a file and to standard output', async () => {
  const id = await answeredSession();
  const run = (...args: string[]) =>
    promisify(execFile)(process.execPath, [...commandLine(), 'export', id, '--data', server.data, ...args], {
      cwd: ROOT,
      env: { PATH: process.env.PATH ?? '', HOME: server.home },
    });
  const file = join(server.home, 'session.html');
  await run('--format', 'html', '-o', file);
  expect(readFileSync(file, 'utf8')).toMatch(/^<!doctype html>[\s\S]*hello there[\s\S]*<\/html>\n$/);
  expect((await run()).stdout).toContain('> hello there');
  expect(JSON.parse((await run('--format', 'json')).stdout).events).toEqual(await eventsOf(id));
});
