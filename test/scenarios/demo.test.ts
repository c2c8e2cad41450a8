import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Event, EventOf, EventType } from '../../src/protocol/event.ts';
import type { ServerFrame } from '../../src/protocol/frame.ts';
import type { WaitingPermission } from '../../src/protocol/http.ts';
import type { Session } from '../../src/protocol/session.ts';
import { api, connectClient, eventsIn, type TestClient } from '../support/client.ts';
import { startFaultProxy } from '../support/fault-proxy.ts';
import { processesOf } from '../support/processes.ts';
import { startServer, type TestServer } from '../support/real-server.ts';
import { waitFor } from '../support/wait-for.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ env: { SIGNALBOX_MAX_LIVE: '50' } });
});
afterAll(() => server.close());

test('a first word to the demo agent is answered with what to try', async () => {
  const { client, id } = await begin('hello');
  const answer = await heard(client, id, 'assistant.text');
  expect(answer.text).toContain('Signalbox');
  const done = await heard(client, id, 'turn.completed');
  expect(done).toMatchObject({ isError: false, interrupted: false });
});

test('text streams to the browser in pieces that are the beginning of the finished item', async () => {
  const { client, id } = await begin('long 80', { DEMO_AGENT_PACE_MS: '5' });
  const answer = await heard(client, id, 'assistant.text');
  const pieces = client.frames.filter((frame) => frame.type === 'delta' && frame.itemId === answer.itemId);
  expect(pieces.length).toBeGreaterThan(1);
  // The last piece may be left out: it comes with the finished item.
  expect(answer.text.startsWith(laidOut(client.frames, answer.itemId ?? ''))).toBe(true);
});

test('a request that was open when the server was killed is answered after its restart, once', async () => {
  const { client, id } = await begin('write survived');
  await heard(client, id, 'permission.requested');
  await server.kill9();
  await server.restart();
  const again = await follow(id);
  const { body } = await api<{ permissions: WaitingPermission[] }>(server, 'GET', `/api/permissions?session=${id}`);
  const answer = { behavior: 'allow', commandId: `answer-${id}` };
  const path = `/api/permissions/${encodeURIComponent(body.permissions[0]?.requestId ?? '')}`;
  expect((await api(server, 'POST', path, answer)).status).toBe(200);
  expect((await api(server, 'POST', path, answer)).status).toBe(200);
  await heard(again, id, 'turn.completed');
  expect(readFileSync(join(server.project, 'demo-notes.md'), 'utf8')).toBe('# Notes of the demo agent\n\n- survived\n');
  expectWhole(again.events(id));
});

test('a turn goes on while no server lives, and is shown whole and once', async () => {
  const { client, id } = await begin('long 150', { DEMO_AGENT_PACE_MS: '4' });
  await client.waitFor((frame) => frame.type === 'delta' && frame.offset > 50);
  await server.kill9();
  await server.restart();
  const again = await follow(id);
  const answer = await heard(again, id, 'assistant.text');
  await heard(again, id, 'turn.completed');
  expect(answer.text.split(/\s+/)).toHaveLength(150);
  expectWhole(again.events(id));
  expect(again.events(id).filter((event) => event.type === 'assistant.text')).toHaveLength(1);
});

test('[R45] a message sent between a stop and the exit is answered by the next agent, also when the server is killed in between', async () => {
  const { client, id } = await begin('hello');
  await heard(client, id, 'turn.completed');
  const pid = await waitFor('its pid', async () => (await api<Session>(server, 'GET', `/api/sessions/${id}`)).body.pid);
  process.kill(pid, 'SIGSTOP'); // it cannot exit before the server is gone
  expect((await api(server, 'POST', `/api/sessions/${id}/stop`, {})).status).toBe(202);
  const commandId = `next-${id}`;
  expect((await api(server, 'POST', `/api/sessions/${id}/input`, { text: 'echo after the stop', commandId })).status).toBe(202);
  await server.kill9();
  process.kill(pid, 'SIGCONT');
  await server.restart();
  const again = await follow(id);
  await again.waitFor((frame) => eventsIn(frame, id).some((event) => event.type === 'turn.completed' && event.commandId === commandId));
  const events = again.events(id);
  expect(events.find((event) => event.type === 'session.exited')).toMatchObject({ reason: 'stop' });
  expect(events.filter((event) => event.type === 'input.delivered' && event.commandId === commandId)).toHaveLength(1);
  expectWhole(events);
});

test('an agent that dies in mid-turn is said to have died, and wakes with its memory', async () => {
  const { client, id } = await begin('echo remember this');
  await heard(client, id, 'turn.completed');
  await api(server, 'POST', `/api/sessions/${id}/input`, { text: 'crash' });
  expect(await heard(client, id, 'session.exited')).toMatchObject({ code: 3 });
  await api(server, 'POST', `/api/sessions/${id}/input`, { text: 'remember' });
  const answer = await client.waitFor((frame) => frame.type === 'event' && frame.event.type === 'assistant.text' && frame.event.text.startsWith('You said'));
  expect(JSON.stringify(answer)).toContain('1. echo remember this');
  expectWhole(client.events(id));
});

test('an interrupt ends the turn and keeps what was said', async () => {
  const { client, id } = await begin('long 5000', { DEMO_AGENT_PACE_MS: '5' });
  await client.waitFor((frame) => frame.type === 'delta');
  await api(server, 'POST', `/api/sessions/${id}/interrupt`, {});
  expect(await heard(client, id, 'turn.completed')).toMatchObject({ interrupted: true, isError: false });
  expect(client.events(id).find((event) => event.type === 'assistant.text')).toMatchObject({ interrupted: true });
});

test('a client whose line is cut comes back with its last seq and has no gap and no repeat', async () => {
  const proxy = await startFaultProxy(server.port);
  try {
    const through = { url: `http://127.0.0.1:${proxy.port}`, token: server.token };
    const { id } = await begin('write one');
    const first = await connectClient(through);
    first.send({ type: 'subscribe', sessionId: id });
    await heard(first, id, 'permission.requested');
    proxy.cut();
    await first.closed;
    const { body } = await api<{ permissions: WaitingPermission[] }>(server, 'GET', `/api/permissions?session=${id}`);
    await api(server, 'POST', `/api/permissions/${encodeURIComponent(body.permissions[0]?.requestId ?? '')}`, { behavior: 'deny', message: 'no' });
    const second = await connectClient(through);
    const before = first.events(id);
    second.send({ type: 'subscribe', sessionId: id, after: before.at(-1)?.seq ?? 0 });
    await heard(second, id, 'turn.completed');
    expectWhole([...before, ...second.events(id)]);
  } finally {
    await proxy.close();
  }
});

test('deleting a session leaves no process of it', async () => {
  const { client, id } = await begin('wait');
  await heard(client, id, 'assistant.text');
  const { body } = await api<Session>(server, 'GET', `/api/sessions/${id}`);
  const agentSessionId = body.agentSessionId ?? 'none';
  const agents = () => processesOf(server.home).filter((pid) => commandLine(pid).includes(agentSessionId));
  expect(agents().length).toBeGreaterThan(0);
  expect((await api(server, 'DELETE', `/api/sessions/${id}`)).status).toBeLessThan(300);
  await client.waitFor((frame) => frame.type === 'status' && frame.deleted === true);
  expect(agents()).toEqual([]);
});

async function begin(prompt: string, env: Readonly<Record<string, string>> = {}): Promise<{ client: TestClient; id: Session['id'] }> {
  const { status, body } = await api<Session>(server, 'POST', '/api/sessions', { agent: 'demo', cwd: server.project, prompt, env });
  expect(status).toBe(201);
  return { client: await follow(body.id), id: body.id };
}

async function follow(id: Session['id']): Promise<TestClient> {
  const client = await connectClient(server);
  client.send({ type: 'subscribe', sessionId: id });
  return client;
}

/** The first event of a type that this client has or gets. */
async function heard<T extends EventType>(client: TestClient, id: string, type: T): Promise<EventOf<T>> {
  const find = () => client.events(id).find((event): event is EventOf<T> => event.type === type);
  await client.waitFor(() => find() !== undefined);
  return find() as EventOf<T>;
}

/** Numbers from 1 without a gap, and no item twice. */
function expectWhole(events: readonly Event[]): void {
  expect(events.map((event) => event.seq)).toEqual(events.map((_, index) => index + 1));
  const items = events.flatMap((event) => (event.itemId ? [`${event.type} ${event.itemId}`] : []));
  expect(new Set(items).size).toBe(items.length);
}

/** Deltas written at their offsets, as a page does it. */
function laidOut(frames: readonly ServerFrame[], itemId: string): string {
  let text = '';
  for (const frame of frames) if (frame.type === 'delta' && frame.itemId === itemId) text = text.slice(0, frame.offset) + frame.text;
  return text;
}

function commandLine(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}
