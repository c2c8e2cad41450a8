import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AuditEntry, AuditList } from '../../src/protocol/api/audit.ts';
import type { Event } from '../../src/protocol/event.ts';
import type { PastConversation, WaitingPermission } from '../../src/protocol/http.ts';
import type { SessionId } from '../../src/protocol/ids.ts';
import type { Session } from '../../src/protocol/session.ts';
import { api, connectClient } from '../support/client.ts';
import { commandLine, startServer, type TestServer } from '../support/real-server.ts';

const ROOT = resolve(import.meta.dirname, '../..');

let server: TestServer;
let anna: Person;
let otto: Person;

beforeAll(async () => {
  server = await startServer();
  anna = await person('anna', 'driver');
  otto = await person('otto', 'driver');
});
afterAll(() => server.close());

interface Person {
  readonly name: string;
  readonly token: string;
  ask<T>(method: string, path: string, body?: unknown): Promise<{ readonly status: number; readonly body: T }>;
}

async function person(name: string, role: string): Promise<Person> {
  const { body } = await api<{ token: string }>(server, 'POST', '/api/tokens', { name, role });
  return { name, token: body.token, ask: (method, path, payload) => api({ url: server.url, token: body.token }, method, path, payload) };
}

/** Creates a session and waits until it asks for permission. */
async function waitingSession(by: Person): Promise<{ readonly id: string; readonly request: string }> {
  const id = `s-${randomUUID()}`;
  expect((await by.ask('POST', '/api/sessions', { id, agent: 'demo', cwd: server.project, prompt: 'write noted' })).status).toBe(201);
  const client = await connectClient(server);
  client.send({ type: 'subscribe', sessionId: id as SessionId });
  await client.waitFor(() => client.events(id).some((event) => event.type === 'permission.requested'));
  client.close();
  const { body } = await by.ask<{ permissions: WaitingPermission[] }>('GET', `/api/permissions?session=${id}`);
  return { id, request: body.permissions[0]?.requestId ?? 'none' };
}

const audit = async (query = ''): Promise<AuditEntry[]> => (await api<AuditList>(server, 'GET', `/api/audit?${query}`)).body.entries;

test('the audit has who decided what, and from where, once, even after the server was killed', async () => {
  const { id, request } = await waitingSession(anna);
  await server.kill9();
  await server.restart();
  const answer = { behavior: 'allow', commandId: `answer-${id}` };
  expect((await otto.ask('POST', `/api/permissions/${encodeURIComponent(request)}`, answer)).status).toBe(200);
  await server.kill9();
  await server.restart();
  expect((await otto.ask('POST', `/api/permissions/${encodeURIComponent(request)}`, answer)).status).toBe(200);

  const entries = await audit(`session=${id}`);
  expect(entries.map((entry) => [entry.actor.name, entry.action])).toEqual([
    ['otto', 'permission.resolved'],
    ['anna', 'input.accepted'],
    ['anna', 'session.created'],
  ]);
  expect(entries[0]).toMatchObject({ requestId: request, commandId: `answer-${id}`, actor: { kind: 'person', from: 'http 127.0.0.1' } });
  expect((await audit('action=token.added')).map((entry) => [entry.actor.name, entry.words])).toEqual([
    ['owner', 'created a token for otto with the role driver'],
    ['owner', 'created a token for anna with the role driver'],
  ]);
  expect(entries[0]?.words).toMatch(/^allowed \w+ .*demo-notes\.md in project$/);
});

/** Creates a session and waits until these turns are completed. */
async function finishedSession(by: Person, path: string, body: object, turns = 1): Promise<string> {
  const made = await by.ask<Session>('POST', path, body);
  expect(made.status).toBe(201);
  const client = await connectClient({ url: server.url, token: by.token });
  client.send({ type: 'subscribe', sessionId: made.body.id });
  await client.waitFor(() => client.events(made.body.id).filter((event) => event.type === 'turn.completed').length >= turns);
  client.close();
  return made.body.id;
}

const SECRET = 'the secret of the closed session';

async function secretPast(by: Person): Promise<readonly string[]> {
  const { body } = await by.ask<{ conversations: PastConversation[] }>('GET', '/api/agents/demo/past');
  return body.conversations.flatMap((one) => (one.title.includes(SECRET) ? [one.agentSessionId] : []));
}

test('[R167] a private session never shows among past conversations: not the copy for its handover, not after a kill, not once it is deleted', async () => {
  const id = await finishedSession(anna, '/api/sessions', { agent: 'demo', cwd: server.project, prompt: SECRET });
  expect((await anna.ask('PATCH', `/api/sessions/${id}`, { closed: true })).status).toBe(200);
  const ottos = await connectClient({ url: server.url, token: otto.token });
  ottos.send({ type: 'subscribe', sessionId: '*' });
  await ottos.waitFor((frame) => frame.type === 'sessions');
  const fresh = await finishedSession(anna, `/api/sessions/${id}/handover`, { how: 'agent', prompt: 'hello' }, 2);
  ottos.send({ type: 'ping' });
  await ottos.waitFor((frame) => frame.type === 'pong');
  ottos.close();
  expect(JSON.stringify(ottos.frames)).not.toContain(fresh);

  const conversations = await secretPast(anna);
  expect(conversations.length).toBeGreaterThanOrEqual(2);
  const expectHiddenFromOtto = async () => {
    expect(await secretPast(otto)).toEqual([]);
    for (const resume of conversations) {
      for (const more of [{}, { fork: true }, { handover: true }]) {
        const request = { agent: 'demo', cwd: server.project, ...more };
        const [closed, unknown] = [
          await otto.ask('POST', '/api/sessions', { ...request, resume }),
          await otto.ask('POST', '/api/sessions', { ...request, resume: 'none' }),
        ];
        expect(JSON.stringify(closed).replaceAll(resume, 'none')).toBe(JSON.stringify(unknown));
      }
    }
  };
  await expectHiddenFromOtto();
  await server.kill9();
  await server.restart();
  await expectHiddenFromOtto();
  for (const each of [id, fresh]) expect((await api(server, 'DELETE', `/api/sessions/${each}`)).status).toBe(200);
  await expectHiddenFromOtto();
  await server.kill9();
  await server.restart();
  await expectHiddenFromOtto();
  expect([...(await secretPast(anna))].sort()).toEqual([...conversations].sort());
});

test('the real server keeps a private session private everywhere, even after a restart, and deleted sessions stay in the audit', async () => {
  const { id, request } = await waitingSession(anna);
  expect((await otto.ask('PATCH', `/api/sessions/${id}`, { closed: true })).status).toBe(403);
  expect((await anna.ask('PATCH', `/api/sessions/${id}`, { closed: true })).status).toBe(200);
  await server.kill9();
  await server.restart();

  const unknown = await otto.ask('POST', '/api/sessions/none/input', { text: 'x' });
  const closed = await otto.ask('POST', `/api/sessions/${id}/input`, { text: 'x' });
  expect(JSON.stringify(closed).replaceAll(id, 'none')).toBe(JSON.stringify(unknown));
  for (const path of [`/api/sessions/${id}`, `/api/sessions/${id}/events`]) expect((await otto.ask('GET', path)).status).toBe(404);
  expect((await otto.ask('POST', `/api/permissions/${encodeURIComponent(request)}`, { behavior: 'deny' })).status).toBe(404);
  const list = await otto.ask<{ sessions: Session[] }>('GET', '/api/sessions');
  expect(list.body.sessions.map((session) => session.id)).not.toContain(id);
  expect((await otto.ask('POST', '/api/sessions', { id, agent: 'demo', cwd: server.project, prompt: 'write noted' })).status).toBe(409);
  expect((await otto.ask<AuditList>('GET', `/api/audit?session=${id}`)).body.entries).toEqual([]);

  const events = await anna.ask<{ events: Event[] }>('GET', `/api/sessions/${id}/events`);
  expect(events.body.events.some((event) => event.actor?.name === 'otto')).toBe(false);
  const client = await connectClient(server);
  client.send({ type: 'subscribe', sessionId: '*' });
  expect((await api(server, 'DELETE', `/api/sessions/${id}`)).status).toBe(200);
  await client.waitFor((frame) => frame.type === 'status' && frame.sessionId === id && frame.deleted === true);
  client.close();
  expect((await audit(`session=${id}`)).map((entry) => entry.action)).toEqual(['session.deleted', 'meta.changed', 'input.accepted', 'session.created']);
});

test('the command line shows the audit, and its own actions are recorded as coming from a terminal', async () => {
  const { id, request } = await waitingSession(anna);
  const signalbox = (...args: string[]) =>
    promisify(execFile)(process.execPath, [...commandLine(), ...args, '--data', server.data], {
      cwd: ROOT,
      env: { PATH: process.env.PATH ?? '', HOME: server.home },
    });
  const vera = (await signalbox('token', 'add', 'vera', '--role', 'viewer')).stdout.trim();
  expect((await api({ url: server.url, token: vera }, 'GET', '/api/sessions')).status).toBe(200);
  await signalbox('token', 'revoke', 'vera');
  expect((await api({ url: server.url, token: vera }, 'GET', '/api/sessions')).status).toBe(401);
  expect((await audit('q=vera')).map((entry) => [entry.action, entry.actor.from])).toEqual([
    ['token.revoked', 'terminal 127.0.0.1'],
    ['token.added', 'terminal 127.0.0.1'],
  ]);
  await signalbox('answer', request, 'deny', '--message', 'not this one');
  const { stdout } = await signalbox('audit', '--session', id, '--json');
  const [last] = stdout
    .trim()
    .split('\n')
    .map((line): AuditEntry => JSON.parse(line));
  expect(last).toMatchObject({ actor: { name: 'owner', from: 'terminal 127.0.0.1' }, action: 'permission.resolved', requestId: request });
  expect((await signalbox('audit', '--session', id)).stdout).toMatch(/owner +terminal 127\.0\.0\.1 .*denied \w+ .*: not this one/);
});
