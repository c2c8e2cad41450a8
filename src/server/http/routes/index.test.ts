import { afterEach, beforeEach, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { startTestServer, type TestServer } from '../../../../test/support/server/test-server.ts';
import { REFUSAL_CODES } from '../../../protocol/command.ts';
import type { EventBody } from '../../../protocol/event.ts';
import { ErrorBody } from '../../../protocol/http.ts';
import type { RequestId, SessionId } from '../../../protocol/ids.ts';
import { STATUS_OF_REFUSAL } from '../../shared/errors.ts';
import { ROUTES } from './index.ts';

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer();
});
afterEach(() => server.close());

const S1 = 's1' as SessionId;
const create = (body: object = {}) => server.post('/api/sessions', { agent: 'stand-in', cwd: '/tmp', id: 's1', ...body });
const json = async (response: Response | Promise<Response>) => (await response).json();
const asked: EventBody = {
  type: 'permission.requested',
  requestId: 'r1:7' as RequestId,
  agentRequestId: '7',
  tool: 'Write',
  input: { path: 'a' },
  kind: 'tool',
};

test('an invalid body is refused with the field and what is expected', async () => {
  await server.post('/api/sessions', { agent: 'stand-in', cwd: '/', id: 'fits' });
  const words = async (response: Response) => (await response.json()).error.message;
  expect(await words(await server.post('/api/sessions/fits/input', { text: 7 }))).toBe('Invalid body: text: expected string, received number');
  expect(await words(await server.post('/api/sessions/fits/input', { text: 'x', mode: 'loud' }))).toContain(
    'mode: Invalid option: expected one of "queue"|"steer"',
  );
});

test('creating a session twice with the same body creates one', async () => {
  const first = await create({ prompt: 'go' });
  const again = await create({ prompt: 'go' });
  expect([first.status, again.status]).toEqual([201, 201]);
  expect((await json(again)).id).toBe((await json(first)).id);
  expect(server.engine.events(S1, { after: 0, limit: 100 })).toHaveLength(2);
});

test('[R101] a known id with a different body is a conflict', async () => {
  await create();
  const other = await create({ cwd: '/var' });
  expect(other.status).toBe(409);
  expect((await json(other)).error).toEqual({ code: 'conflict', message: 'There is already a session s1, created with a different body.' });
});

test('without an id each request creates its own session', async () => {
  const ids = await Promise.all([1, 2].map(async () => (await json(server.post('/api/sessions', { agent: 'stand-in', cwd: '/tmp' }))).id));
  expect(new Set(ids).size).toBe(2);
});

test('[R100] the same commandId sends one message; different content with it is a conflict', async () => {
  await create();
  const send = (text: string) => server.post('/api/sessions/s1/input', { text, commandId: 'c1' });
  const first = await send('hello');
  expect(first.status).toBe(202);
  expect(await json(first)).toEqual({ commandId: 'c1', seq: 2, queued: false });
  expect(await json(send('hello'))).toEqual({ commandId: 'c1', seq: 2, queued: false });
  expect((await send('other')).status).toBe(409);
  expect(server.engine.events(S1, { after: 0, limit: 100 }).filter((event) => event.type === 'input.accepted')).toHaveLength(1);
});

test('every command records who sent it', async () => {
  await create();
  await server.post('/api/sessions/s1/input', { text: 'hello' }, { authorization: `Bearer ${server.token.driver}` });
  expect(server.engine.events(S1, { after: 1, limit: 1 })[0]).toMatchObject({
    actor: { kind: 'person', id: expect.stringMatching(/^dora:/), name: 'dora', from: 'http 127.0.0.1' },
  });
});

test('[R102] a request is answered once: the same answer again is fine, a different one is a conflict, an unknown request is not found', async () => {
  await create();
  server.engine.observe(S1, asked);
  expect((await json(server.fetch('/api/permissions'))).permissions).toMatchObject([{ requestId: 'r1:7', sessionId: 's1', tool: 'Write' }]);
  const answer = (id: string, behavior: string) => server.post(`/api/permissions/${encodeURIComponent(id)}`, { behavior });
  expect((await answer('r1:7', 'allow')).status).toBe(200);
  expect((await answer('r1:7', 'allow')).status).toBe(200);
  expect((await answer('r1:7', 'deny')).status).toBe(409);
  expect((await answer('r1:8', 'deny')).status).toBe(404);
  expect((await json(server.fetch('/api/permissions'))).permissions).toEqual([]);
});

test('steering commands answer 202, or say why not', async () => {
  await create();
  for (const verb of ['stop', 'wake', 'sleep']) expect((await server.post(`/api/sessions/s1/${verb}`)).status).toBe(202);
  expect((await json(server.post('/api/sessions/s1/interrupt', {}))).error.code).toBe('nothing-to-interrupt');
  server.engine.observe(S1, { type: 'session.status', status: 'busy', cause: 'input' });
  expect((await server.post('/api/sessions/s1/interrupt', { commandId: 'i1' })).status).toBe(202);
});

test('a person’s changes to a session are stored, and a deleted session is gone', async () => {
  await create();
  const patched = await server.fetch('/api/sessions/s1', {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ title: 'New', tags: ['a'], star: true }),
  });
  expect(await json(patched)).toMatchObject({ title: 'New', tags: ['a'], star: true });
  expect((await server.fetch('/api/sessions/s1', { method: 'DELETE' })).status).toBe(200);
  expect((await server.fetch('/api/sessions/s1')).status).toBe(404);
});

const pages: readonly (readonly [query: string, status: number, seqs: readonly number[]])[] = [
  ['', 200, [1, 2, 3, 4, 5]],
  ['?after=0&limit=1', 200, [1]],
  ['?after=3', 200, [4, 5]],
  ['?after=5', 200, []],
  ['?after=99', 200, []],
  ['?before=3', 200, [1, 2]],
  ['?before=99&limit=2', 200, [4, 5]],
  ['?before=1', 200, []],
  ['?limit=1000', 200, [1, 2, 3, 4, 5]],
  ['?limit=1001', 400, []],
  ['?limit=0', 400, []],
  ['?limit=1.5', 400, []],
  ['?limit=many', 400, []],
  ['?after=-1', 400, []],
  ['?before=0', 400, []],
  ['?after=1&before=3', 400, []],
];
for (const [query, status, seqs] of pages) {
  test(`events${query} answers ${status} with ${seqs.length} events`, async () => {
    await create();
    for (const word of ['b', 'c', 'd', 'e']) server.engine.observe(S1, { type: 'notice.shown', level: 'info', text: word });
    const response = await server.fetch(`/api/sessions/s1/events${query}`);
    expect(response.status).toBe(status);
    if (status === 200) expect((await json(response)).events.map((event: { seq: number }) => event.seq)).toEqual(seqs);
  });
}

test('a list is read in pages without gaps or repeats while sessions are added', async () => {
  for (let index = 0; index < 5; index += 1) await create({ id: `s${index}` });
  const first = await json(server.fetch('/api/sessions?limit=2'));
  await create({ id: 'late' });
  const second = await json(server.fetch(`/api/sessions?limit=2&cursor=${encodeURIComponent(first.nextCursor)}`));
  const third = await json(server.fetch(`/api/sessions?limit=2&cursor=${encodeURIComponent(second.nextCursor)}`));
  const ids = [...first.sessions, ...second.sessions, ...third.sessions].map((session: { id: string }) => session.id);
  expect(ids.sort()).toEqual(['s0', 's1', 's2', 's3', 's4']);
  expect(third.nextCursor).toBeUndefined();
});

test('lists can be filtered by status, agent, tag and words', async () => {
  await create({ id: 'a', title: 'Fix the parser' });
  await create({ id: 'b', title: 'Write docs' });
  server.engine.observe('b' as SessionId, { type: 'session.status', status: 'busy', cause: 'input' });
  const idsFor = async (query: string) => (await json(server.fetch(`/api/sessions?${query}`))).sessions.map((session: { id: string }) => session.id);
  expect(await idsFor('q=PARSER+fix')).toEqual(['a']);
  expect(await idsFor('status=busy,waiting')).toEqual(['b']);
  expect(await idsFor('agent=all')).toEqual(await idsFor(''));
  expect(await idsFor('agent=stand')).toEqual(await idsFor('agent=stand-in'));
  expect(await idsFor('tag=x')).toEqual([]);
});

test('[R356] an unknown field, parameter or agent is refused by name, with the nearest known one', async () => {
  await create({ id: 'a' });
  const refusal = async (response: Promise<Response>) => {
    const answer = await response;
    return [answer.status, ((await answer.json()) as { error: { message: string } }).error.message];
  };
  expect(await refusal(server.post('/api/sessions/a/input', { text: 'x', contxt: [] }))).toEqual([
    400,
    'Unknown field "contxt". Did you mean "context"? Nothing was changed.',
  ]);
  expect(await refusal(server.post('/api/sessions', { agent: 'stand-in', cwd: '/', projectId: 'x' }))).toEqual([
    400,
    'Unknown field "projectId". Nothing was changed.',
  ]);
  expect(await refusal(server.post('/api/rules', { behavior: 'allow', tool: 'x', scope: { kind: 'everywhere', folder: '/' } }))).toEqual([
    400,
    'Unknown field "scope.folder". Nothing was changed.',
  ]);
  expect(await refusal(server.fetch('/api/sessions?agnt=x'))).toEqual([400, 'Unknown query parameter "agnt". Did you mean "agent"? Nothing was changed.']);
  expect(await refusal(server.fetch('/api/tags?x=1'))).toEqual([400, 'Unknown query parameter "x". Nothing was changed.']);
  for (const path of ['/api/sessions', '/api/projects', '/api/projects/x/sessions', '/api/usage', '/api/search']) {
    const [status, message] = await refusal(server.fetch(`${path}?agent=stand-im`));
    expect([path, status, message]).toEqual([path, 400, expect.stringContaining('There is no agent "stand-im". Did you mean "stand-in"?')]);
    expect((await server.fetch(`${path}?agent=all`)).status, path).toBe(200);
  }
});

test('[R356] every route refuses parameters and fields that it does not know', () => {
  for (const { path, method, run } of ROUTES) {
    const params = Object.fromEntries([...path.matchAll(/:(\w+)/g)].map(([, name]) => [name, name === 'seq' ? '1' : name === 'sha256' ? '0'.repeat(64) : 'x']));
    const who = { actor: { kind: 'person', id: 'x', name: 'x' }, role: 'owner', headers: {}, gone: new AbortController().signal } as const;
    const call = { params, query: { zzz: '1' }, body: undefined, ...who };
    // Where a parameter is required, its absence is reported first: then the message names that one.
    expect(() => run({} as never, call), `${method} ${path}`).toThrow(/Unknown query parameter "zzz"|Invalid (query|address)/);
  }
});

const blobs: readonly (readonly [name: string, bytes: Buffer, type: string])[] = [
  ['a PNG', Buffer.from('89504e470d0a1a0a00', 'hex'), 'image/png'],
  ['text', Buffer.from('grüße'), 'text/plain; charset=utf-8'],
  ['a page', Buffer.from('<html><script>alert(1)</script>'), 'text/plain; charset=utf-8'],
  ['an SVG', Buffer.from('<svg onload="alert(1)"/>'), 'text/plain; charset=utf-8'],
  ['other bytes', Buffer.from([0xff, 0xfe, 0x00]), 'application/octet-stream'],
];
for (const [name, bytes, type] of blobs) {
  test(`${name} is served as ${type}, complete and unable to run`, async () => {
    const response = await server.fetch(`/api/blobs/${server.engine.putBlob(bytes)}`);
    expect(response.headers.get('content-type')).toBe(type);
    expect(response.headers.get('content-security-policy')).toContain('sandbox');
    expect(response.headers.get('content-disposition')).toMatch(/^attachment/);
    expect(Buffer.from(await response.arrayBuffer())).toEqual(bytes);
  });
}

test('each refusal of the engine has its status and keeps its message', async () => {
  await create();
  for (const refused of REFUSAL_CODES) {
    server.engine.refuseWith(() => ({ refused, message: `because ${refused}` }));
    const response = await server.post('/api/sessions/s1/input', { text: 'x' });
    expect(response.status).toBe(STATUS_OF_REFUSAL[refused]);
    expect(await json(response)).toEqual({ error: { code: refused, message: `because ${refused}` } });
  }
});

test('[R111] an unexpected error shows only an id in the answer; the log has the details', async () => {
  await server.close();
  const logged: Record<string, unknown>[] = [];
  const log = { info: () => {}, warn: () => {}, debug: () => {}, error: (facts: Readonly<Record<string, unknown>>) => logged.push(facts) };
  server = await startTestServer({}, { log });
  server.engine.refuseWith(() => {
    throw new Error('secret internals');
  });
  const response = await create();
  const { error } = await json(response);
  expect([response.status, error.code]).toEqual([500, 'internal']);
  expect(JSON.stringify(error)).not.toMatch(/secret|stack|\.ts/);
  expect(logged).toMatchObject([{ id: error.id, err: expect.objectContaining({ message: 'secret internals' }) }]);
});

const malformed: readonly (readonly [name: string, path: string, body: string, status: number])[] = [
  ['broken JSON', '/api/sessions', '{"agent":', 400],
  ['a body of another shape', '/api/sessions', '[]', 400],
  ['a missing field', '/api/sessions', '{"agent":"stand-in"}', 400],
  ['a bad session id', '/api/sessions', '{"agent":"stand-in","cwd":"/","id":"../x"}', 400],
  ['an attack on prototypes', '/api/sessions', '{"agent":"stand-in","cwd":"/","env":{"__proto__":{"a":1}}}', 400],
  ['an empty message', '/api/sessions/s1/input', '{"text":""}', 400],
  ['an unknown session', '/api/sessions/unknown/input', '{"text":"x"}', 404],
];
for (const [name, path, body, status] of malformed) {
  test(`${name} gets ${status} and a readable message`, async () => {
    const headers = { authorization: `Bearer ${server.token.owner}`, 'content-type': 'application/json' };
    const response = await server.fetch(path, { method: 'POST', headers, body });
    expect(response.status).toBe(status);
    expect(await json(response)).toMatchObject({ error: { code: expect.any(String), message: expect.stringMatching(/\w/) } });
  });
}

test('answers match the schemas of the API description', async () => {
  await create({ prompt: 'go' });
  server.engine.observe(S1, asked);
  for (const route of ROUTES.filter((each) => each.method === 'GET' && each.answer.schema !== undefined)) {
    const response = await server.fetch(route.path.replace(':id', 's1').replace(':requestId', 'r1:7').replace(':seq', '1').replace(':askId', 'ask-unknown'));
    if (response.status === 204) continue;
    const isRefused = [400, 403, ...(route.refusals ?? [])].includes(response.status);
    expect(z.safeParse(isRefused ? ErrorBody : route.answer.schema!, await response.json()).error, route.path).toBeUndefined();
  }
});

test('metrics count what happened', async () => {
  await create();
  const text = await (await server.fetch('/metrics')).text();
  expect(text).toContain('signalbox_events_appended_total 1\n');
  expect(text).toContain('signalbox_http_requests_total{method="POST",status="201"} 1\n');
  expect(text).toMatch(/# TYPE process_resident_memory_bytes gauge\nprocess_resident_memory_bytes \d+\n/);
});
