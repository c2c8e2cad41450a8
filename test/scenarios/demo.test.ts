import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Run } from '../../src/protocol/api/runs.ts';
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

test('the demo agent answers a first message with things to try', async () => {
  const { client, id } = await start('hello');
  const answer = await eventOf(client, id, 'assistant.text');
  expect(answer.text).toContain('Signalbox');
  const done = await eventOf(client, id, 'turn.completed');
  expect(done).toMatchObject({ isError: false, interrupted: false });
});

test('text streams to the browser in pieces that form a prefix of the finished item', async () => {
  const { client, id } = await start('long 80', { DEMO_AGENT_PACE_MS: '5' });
  const answer = await eventOf(client, id, 'assistant.text');
  const pieces = client.frames.filter((frame) => frame.type === 'delta' && frame.itemId === answer.itemId);
  expect(pieces.length).toBeGreaterThan(1);
  // The last piece can be missing: the finished item includes it.
  expect(answer.text.startsWith(streamedText(client.frames, answer.itemId ?? ''))).toBe(true);
});

test('a request that was pending when the server was killed is answered once after the restart', async () => {
  const { client, id } = await start('write survived');
  await eventOf(client, id, 'permission.requested');
  await server.kill9();
  await server.restart();
  const again = await follow(id);
  const { body } = await api<{ permissions: WaitingPermission[] }>(server, 'GET', `/api/permissions?session=${id}`);
  const answer = { behavior: 'allow', commandId: `answer-${id}` };
  const path = `/api/permissions/${encodeURIComponent(body.permissions[0]?.requestId ?? '')}`;
  expect((await api(server, 'POST', path, answer)).status).toBe(200);
  expect((await api(server, 'POST', path, answer)).status).toBe(200);
  await eventOf(again, id, 'turn.completed');
  expect(readFileSync(join(server.project, 'demo-notes.md'), 'utf8')).toBe('# Notes of the demo agent\n\n- survived\n');
  expectComplete(again.events(id));
});

test('[R310] an agent’s own token opens nothing meant for people, also with the next server, and ends with its run', async () => {
  const { client, id } = await start('write by myself');
  const { requestId } = await eventOf(client, id, 'permission.requested');
  const { pid } = (await api<Session>(server, 'GET', `/api/sessions/${id}`)).body;
  const environment = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
  const variable = (name: string) => environment.find((entry) => entry.startsWith(`${name}=`))?.slice(name.length + 1) ?? '';
  expect(variable('SIGNALBOX_URL')).toBe(server.url);
  expect(environment.join('\n')).not.toContain(server.token);
  const approve = () =>
    api({ url: server.url, token: variable('SIGNALBOX_RUN_TOKEN') }, 'POST', `/api/permissions/${encodeURIComponent(requestId)}`, { behavior: 'allow' });
  expect((await approve()).status).toBe(403);
  await server.kill9();
  await server.restart();
  expect((await approve()).status).toBe(403);
  await api(server, 'POST', `/api/sessions/${id}/stop`, {});
  await waitFor('the token to end with its run', async () => (await approve()).status === 401);
  const again = await follow(id);
  await eventOf(again, id, 'session.exited');
  expect(again.events(id).filter((event) => event.type === 'permission.resolved' && event.outcome === 'allowed')).toEqual([]);
});

test('[R754] the runs of a session name their process, turns, denials and end', async () => {
  const { client, id } = await start('run date');
  const { requestId } = await eventOf(client, id, 'permission.requested');
  await api(server, 'POST', `/api/permissions/${encodeURIComponent(requestId)}`, { behavior: 'deny' });
  await eventOf(client, id, 'turn.completed');
  const runs = async () => (await api<{ runs: Run[] }>(server, 'GET', `/api/sessions/${id}/runs`)).body.runs;
  const { pid } = (await api<Session>(server, 'GET', `/api/sessions/${id}`)).body;
  expect(await runs()).toMatchObject([{ mode: 'new', pid, turns: 1, failedTurns: 0, denied: [{ tool: 'Bash' }], cwd: server.project }]);
  expect((await runs())[0]?.argv?.join(' ')).toContain('demo');
  await api(server, 'POST', `/api/sessions/${id}/stop`, {});
  await eventOf(client, id, 'session.exited');
  expect(await runs()).toMatchObject([{ exit: { reason: 'stop' }, durationMs: expect.any(Number), endedAt: expect.any(String) }]);
});

test('a turn continues while no server is running, and is shown completely and once', async () => {
  const { client, id } = await start('long 150', { DEMO_AGENT_PACE_MS: '4' });
  await client.waitFor((frame) => frame.type === 'delta' && frame.offset > 50);
  await server.kill9();
  await server.restart();
  const again = await follow(id);
  const answer = await eventOf(again, id, 'assistant.text');
  await eventOf(again, id, 'turn.completed');
  expect(answer.text.split(/\s+/)).toHaveLength(150);
  expectComplete(again.events(id));
  expect(again.events(id).filter((event) => event.type === 'assistant.text')).toHaveLength(1);
});

test('[R45] a message sent between a stop and the exit is answered by the next agent process, even when the server is killed in between', async () => {
  const { client, id } = await start('hello');
  await eventOf(client, id, 'turn.completed');
  const pid = await waitFor('its pid', async () => (await api<Session>(server, 'GET', `/api/sessions/${id}`)).body.pid);
  process.kill(pid, 'SIGSTOP'); // it can't exit before the server is killed
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
  expectComplete(events);
});

test('an agent that dies mid-turn is reported as exited, and remembers the conversation when it wakes', async () => {
  const { client, id } = await start('echo remember this');
  await eventOf(client, id, 'turn.completed');
  await api(server, 'POST', `/api/sessions/${id}/input`, { text: 'crash' });
  expect(await eventOf(client, id, 'session.exited')).toMatchObject({ code: 3 });
  await api(server, 'POST', `/api/sessions/${id}/input`, { text: 'remember' });
  const answer = await client.waitFor((frame) => frame.type === 'event' && frame.event.type === 'assistant.text' && frame.event.text.startsWith('You said'));
  expect(JSON.stringify(answer)).toContain('1. echo remember this');
  expectComplete(client.events(id));
});

test('an interrupt ends the turn and keeps the text so far', async () => {
  const { client, id } = await start('long 5000', { DEMO_AGENT_PACE_MS: '5' });
  await client.waitFor((frame) => frame.type === 'delta');
  await api(server, 'POST', `/api/sessions/${id}/interrupt`, {});
  expect(await eventOf(client, id, 'turn.completed')).toMatchObject({ interrupted: true, isError: false });
  expect(client.events(id).find((event) => event.type === 'assistant.text')).toMatchObject({ interrupted: true });
});

test('a client that reconnects with its last seq gets every event once', async () => {
  const proxy = await startFaultProxy(server.port);
  try {
    const through = { url: `http://127.0.0.1:${proxy.port}`, token: server.token };
    const { id } = await start('write one');
    const first = await connectClient(through);
    first.send({ type: 'subscribe', sessionId: id });
    await eventOf(first, id, 'permission.requested');
    proxy.cut();
    await first.closed;
    const { body } = await api<{ permissions: WaitingPermission[] }>(server, 'GET', `/api/permissions?session=${id}`);
    await api(server, 'POST', `/api/permissions/${encodeURIComponent(body.permissions[0]?.requestId ?? '')}`, { behavior: 'deny', message: 'no' });
    const second = await connectClient(through);
    const before = first.events(id);
    second.send({ type: 'subscribe', sessionId: id, after: before.at(-1)?.seq ?? 0 });
    await eventOf(second, id, 'turn.completed');
    expectComplete([...before, ...second.events(id)]);
  } finally {
    await proxy.close();
  }
});

test('deleting a session leaves none of its processes running', async () => {
  const { client, id } = await start('wait');
  await eventOf(client, id, 'assistant.text');
  const { body } = await api<Session>(server, 'GET', `/api/sessions/${id}`);
  const agentSessionId = body.agentSessionId ?? 'none';
  const agents = () => processesOf(server.home).filter((pid) => commandLine(pid).includes(agentSessionId));
  expect(agents().length).toBeGreaterThan(0);
  expect((await api(server, 'DELETE', `/api/sessions/${id}`)).status).toBeLessThan(300);
  await client.waitFor((frame) => frame.type === 'status' && frame.deleted === true);
  expect(agents()).toEqual([]);
});

async function start(prompt: string, env: Readonly<Record<string, string>> = {}): Promise<{ client: TestClient; id: Session['id'] }> {
  const { status, body } = await api<Session>(server, 'POST', '/api/sessions', { agent: 'demo', cwd: server.project, prompt, env });
  expect(status).toBe(201);
  return { client: await follow(body.id), id: body.id };
}

async function follow(id: Session['id']): Promise<TestClient> {
  const client = await connectClient(server);
  client.send({ type: 'subscribe', sessionId: id });
  return client;
}

/** The first event of a type that this client has or receives. */
async function eventOf<T extends EventType>(client: TestClient, id: string, type: T): Promise<EventOf<T>> {
  const find = () => client.events(id).find((event): event is EventOf<T> => event.type === type);
  await client.waitFor(() => find() !== undefined);
  return find() as EventOf<T>;
}

/** Seqs start at 1 without a gap, and no item exists twice. */
function expectComplete(events: readonly Event[]): void {
  expect(events.map((event) => event.seq)).toEqual(events.map((_, index) => index + 1));
  const items = events.flatMap((event) => (event.itemId ? [`${event.type} ${event.itemId}`] : []));
  expect(new Set(items).size).toBe(items.length);
}

/** Applies deltas at their offsets, like a page does. */
function streamedText(frames: readonly ServerFrame[], itemId: string): string {
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
