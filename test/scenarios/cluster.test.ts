import { spawn } from 'node:child_process';
import { cpSync, readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { MachineList } from '../../src/protocol/api/machines.ts';
import type { HitList } from '../../src/protocol/api/search.ts';
import type { Event } from '../../src/protocol/event.ts';
import type { WaitingPermission } from '../../src/protocol/http.ts';
import type { Session } from '../../src/protocol/session.ts';
import { api, connectClient } from '../support/client.ts';
import {
  allSeeAll,
  createSession,
  expectWhole,
  idOf,
  type Machines,
  machinesOf,
  optionsOf,
  startMachines,
  turnsIn,
  watch,
} from '../support/cluster/machines.ts';
import { startServer, type TestServer } from '../support/real-server.ts';

let machines: Machines;
let a: TestServer;
let b: TestServer;
let c: TestServer;
beforeAll(async () => {
  machines = await startMachines({}, {}, { SIGNALBOX_CLUSTER_ROLE: 'viewer' });
  [a, b, c] = machines.servers as [TestServer, TestServer, TestServer];
});
afterAll(() => machines?.close());

const listed = async (at: TestServer, id: string): Promise<Session | undefined> =>
  (await api<{ sessions: Session[] }>(at, 'GET', '/api/sessions?limit=1000')).body.sessions.find((session) => session.id === id);

const ErrorOf = (body: unknown): string => (body as { error?: { code: string } }).error?.code ?? JSON.stringify(body);

test('[R691] a page of one machine starts, lists, streams, approves, steers and finds a session of another, and Redis sees none of it', async () => {
  const there = await idOf(b);
  const monitored: string[] = [];
  const monitor = spawn('redis-cli', ['-p', String(machines.redis.port), 'monitor'], { stdio: ['ignore', 'pipe', 'ignore'] });
  monitor.stdout.setEncoding('latin1').on('data', (text: string) => void monitored.push(text));
  await expect.poll(() => monitored.join('')).toContain('OK');

  const id = await createSession(a, { node: there, cwd: b.project, prompt: 'write noted', env: { DEMO_AGENT_PACE_MS: '5' } });
  expect((await api<Session>(b, 'GET', `/api/sessions/${id}`)).body).toMatchObject({ id, node: there, owner: 'owner' });
  const deck = await connectClient(a);
  deck.send({ type: 'subscribe', sessionId: '*' });
  const page = await watch(a, id);
  await page.waitFor(() => page.events(id).some(({ type }) => type === 'permission.requested'));
  const asked = await deck.waitFor((frame) => frame.type === 'waiting' && frame.added.some(({ sessionId }) => sessionId === id));
  const request: WaitingPermission | undefined = asked.type === 'waiting' ? asked.added.find(({ sessionId }) => sessionId === id) : undefined;
  const inbox = await api<{ permissions: WaitingPermission[] }>(a, 'GET', '/api/permissions');
  expect(inbox.body.permissions.map(({ requestId }) => requestId)).toEqual([request?.requestId]);
  page.send({ type: 'permission', requestId: request?.requestId ?? expect.fail(), behavior: 'allow', commandId: 'allow-1' as never });
  await page.waitFor((frame) => frame.type === 'ack' && frame.commandId === 'allow-1');
  await page.waitFor(() => turnsIn(page, id) === 1);
  await deck.waitFor(
    (frame) => frame.type === 'waiting' && frame.resolved.some(({ requestId, outcome }) => requestId === request?.requestId && outcome === 'allowed'),
  );

  page.send({ type: 'input', sessionId: id as never, text: 'say pineapple', commandId: 'input-1' as never });
  await page.waitFor((frame) => frame.type === 'ack' && frame.commandId === 'input-1');
  await page.waitFor(() => turnsIn(page, id) === 2);
  // A short answer can be complete before its first piece is sent on.
  page.send({ type: 'input', sessionId: id as never, text: 'long 200', commandId: 'input-2' as never });
  await page.waitFor((frame) => frame.type === 'delta' && frame.sessionId === id);
  await page.waitFor(() => turnsIn(page, id) === 3);
  await expectWhole(page, b, id);
  const { body } = await api<{ events: Event[] }>(b, 'GET', `/api/sessions/${id}/events?after=0&limit=1000`);
  const decided = body.events.find(({ type }) => type === 'permission.resolved');
  expect(decided?.actor).toMatchObject({ kind: 'person', name: 'owner', from: expect.stringMatching(new RegExp(`^socket 127.0.0.1 via ${hostname()}$`)) });
  expect((await api<{ events: Event[] }>(a, 'GET', `/api/sessions/${id}/events?after=0&limit=1000`)).body).toEqual(body);

  await expect.poll(async () => (await listed(a, id))?.status).toBe('idle');
  await expect.poll(async () => (await api<HitList>(a, 'GET', '/api/search?q=pineapple')).body.hits.some(({ sessionId }) => sessionId === id)).toBe(true);
  const audit = await api<{ entries: { action: string; machine?: string; sessionId?: string }[] }>(a, 'GET', `/api/audit?session=${id}`);
  expect(audit.body.entries).toContainEqual(expect.objectContaining({ action: 'permission.resolved', machine: hostname() }));
  for (const client of [page, deck]) client.close();

  monitor.kill();
  await machines.redis.saveDump();
  const readable = `${monitored.join('')}\n${readFileSync(machines.redis.dumpFile()).toString('latin1')}`;
  expect(monitored.join('').split('\n').length).toBeGreaterThan(50);
  for (const secret of ['write noted', 'pineapple', id, b.project, b.home, `"${hostname()}"`, a.token, b.token])
    expect(readable.includes(secret), secret).toBe(false);
});

test('[R698] what people of other machines may do is capped by the machine itself, on every route that writes', async () => {
  const id = await createSession(c, { prompt: 'hello' });
  expect((await api(a, 'GET', `/api/sessions/${id}`)).status).toBe(200);
  const writes: readonly (readonly [string, string, object?])[] = [
    ['POST', `/api/sessions/${id}/input`, { text: 'x' }],
    ['POST', `/api/sessions/${id}/interrupt`],
    ['POST', `/api/sessions/${id}/stop`],
    ['PATCH', `/api/sessions/${id}`, { title: 'x' }],
    ['DELETE', `/api/sessions/${id}`],
    ['PUT', `/api/sessions/${id}/model`, { model: 'x' }],
  ];
  for (const [method, path, body] of writes) expect([path, (await api(a, method, path, body)).status]).toEqual([path, 403]);
  expect((await api(a, 'POST', '/api/sessions', { node: await idOf(c), agent: 'demo', cwd: c.project })).status).toBe(403);
  const socket = await connectClient(a);
  socket.send({ type: 'input', sessionId: id as never, text: 'x', commandId: 'no-1' as never });
  expect(await socket.waitFor((frame) => frame.type === 'refused' && frame.commandId === 'no-1')).toMatchObject({ code: 'not-permitted' });
  socket.close();
  // Owners of other machines are drivers by default.
  const ours = await createSession(b, { prompt: 'hello' });
  expect((await api(a, 'DELETE', `/api/sessions/${ours}`)).status).toBe(403);
});

test('[R699] a private session is on no other machine: not in lists, not by its id, and it leaves them when it becomes private', async () => {
  const id = await createSession(b, { prompt: 'open, for now' });
  await expect.poll(async () => (await listed(a, id))?.id).toBe(id);
  const page = await watch(a, id);
  await page.waitFor((frame) => frame.type === 'snapshot' && frame.sessionId === id);
  expect((await api(a, 'PATCH', `/api/sessions/${id}`, { closed: true })).status).toBe(403);
  expect((await api(b, 'PATCH', `/api/sessions/${id}`, { closed: true })).status).toBe(200);
  await expect.poll(async () => await listed(a, id)).toBe(undefined);
  await page.waitFor((frame) => frame.type === 'status' && frame.sessionId === id && frame.deleted === true);
  expect((await api(a, 'GET', `/api/sessions/${id}`)).status).toBe(404);
  expect((await api(a, 'GET', `/api/sessions/${id}/events`)).status).toBe(404);
  expect((await api<HitList>(a, 'GET', '/api/search?q=for%20now')).body.hits.filter(({ sessionId }) => sessionId === id)).toEqual([]);
  page.close();
});

test('[R693] while a machine is away its sessions are listed as last known, refused as away, and continue where they were', async () => {
  const id = await createSession(b, { prompt: 'hello' });
  const page = await watch(a, id);
  await page.waitFor(() => turnsIn(page, id) === 1);
  await expect.poll(async () => (await listed(a, id))?.status).toBe('idle');
  await b.kill9();
  const send = () => api(a, 'POST', `/api/sessions/${id}/input`, { text: 'are you there', commandId: 'away-1' });
  // At first nobody knows that it is gone, so the outcome is unknown; afterwards it is known that nothing was sent.
  await expect.poll(async () => ErrorOf((await send()).body)).toBe('owner-away');
  expect((await api(a, 'GET', `/api/sessions/${id}`)).status).toBe(503);
  expect((await listed(a, id))?.lastKnown?.node).toBe((await listed(a, id))?.node);
  await a.restart();
  for (const [method, path] of [
    ['GET', ''],
    ['GET', '/events'],
    ['POST', '/interrupt'],
  ] as const) {
    const answer = await api(a, method, `/api/sessions/${id}${path}`);
    expect([path, answer.status, ErrorOf(answer.body)]).toEqual([path, 503, 'owner-away']);
  }
  const later = await watch(a, id);
  const shown = await later.waitFor((frame) => frame.type === 'snapshot' && frame.sessionId === id);
  expect(shown).toMatchObject({ events: [], session: { lastKnown: { at: expect.any(String) } } });
  await b.restart();
  await later.waitFor((frame) => frame.type === 'resubscribe' && frame.sessionId === id);
  later.send({ type: 'subscribe', sessionId: id as never, after: 0 });
  await later.waitFor(() => turnsIn(later, id) === 1);
  await expect.poll(async () => (await send()).status).toBe(202);
  await later.waitFor(() => turnsIn(later, id) === 2);
  await expectWhole(later, b, id);
  expect(later.events(id).filter((event) => event.type === 'user.message' && event.text === 'are you there').length).toBe(1);
  for (const client of [page, later]) client.close();
});

test('[R696] Redis emptied, restarted and restored from an old dump: nothing is lost, and everyone is back without a restart', async () => {
  await allSeeAll([a, b, c]);
  const id = await createSession(b, { prompt: 'hello' });
  await expect.poll(async () => (await listed(a, id))?.id).toBe(id);
  const again = async (n: number) => {
    await expect.poll(async () => (await api(a, 'POST', `/api/sessions/${id}/input`, { text: `message ${n}`, commandId: `message-${n}` })).status).toBe(202);
    await allSeeAll([a, b, c]);
  };
  await machines.redis.saveDump();
  await machines.redis.client.flushall();
  await again(1);
  await machines.redis.kill9();
  const alone = await api(a, 'POST', `/api/sessions/${id}/input`, { text: 'nobody', commandId: 'nobody' });
  expect(alone.status).toBeGreaterThanOrEqual(503);
  expect((await listed(a, id))?.id).toBe(id);
  expect((await api(a, 'POST', '/api/sessions', { agent: 'demo', cwd: a.project, prompt: 'hello' })).status).toBe(201);
  await machines.redis.start();
  await again(2);
  await machines.redis.kill9();
  machines.redis.restoreDump();
  await machines.redis.start();
  await again(3);
  const { body } = await api<{ events: Event[] }>(b, 'GET', `/api/sessions/${id}/events?after=0&limit=1000`);
  const accepted = body.events.flatMap((event) => (event.type === 'input.accepted' ? [event.text] : []));
  expect(accepted.filter((text) => text.startsWith('message'))).toEqual(['message 1', 'message 2', 'message 3']);
});

test('[R694] a copied data folder: the copy that joins last stays, the other works alone and says so', async () => {
  const copied = join(b.home, 'copied-data');
  const own = await idOf(b);
  cpSync(b.data, copied, { recursive: true, filter: (path) => !/^(lock.*|server\.json|bell)$/.test(basename(path)) });
  const copy = await startServer({ ...optionsOf(machines), data: copied });
  try {
    await expect.poll(async () => (await machinesOf(copy)).cluster).toBe('joined');
    await expect.poll(async () => (await machinesOf(b)).cluster).toBe('superseded');
    expect(await idOf(copy)).toBe(own);
    await expect.poll(async () => (await machinesOf(a)).nodes.filter(({ id, state }) => id === own && state === 'reachable').length).toBe(1);
    const made = await api<Session>(a, 'POST', '/api/sessions', { node: own, agent: 'demo', cwd: copy.project, id: 'on-the-copy' });
    expect(made.status).toBe(201);
    expect(await listed(b, 'on-the-copy')).toBe(undefined);
    expect((await api(copy, 'GET', '/api/sessions/on-the-copy')).status).toBe(200);
    await machines.redis.client.flushall();
    await expect.poll(async () => (await machinesOf(a)).nodes.find(({ id }) => id === own)?.state).toBe('reachable');
    expect((await machinesOf(b)).cluster).toBe('superseded');
  } finally {
    await copy.close();
  }
});

test('[R690] without a Redis URL there is no cluster, and another machine can’t be named', async () => {
  const alone = await startServer();
  try {
    expect((await api<MachineList>(alone, 'GET', '/api/nodes')).body).toEqual({ cluster: 'off', nodes: [] });
    expect((await api(alone, 'POST', '/api/sessions', { node: 'elsewhere', agent: 'demo', cwd: alone.project })).status).toBe(404);
    expect((await api(alone, 'GET', '/api/sessions/unknown')).status).toBe(404);
  } finally {
    await alone.close();
  }
});
