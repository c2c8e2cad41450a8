import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AGENT_TOOLS } from '../../src/protocol/agent-tools.ts';
import type { Annotation } from '../../src/protocol/api/annotations.ts';
import type { Event, EventOf, EventType } from '../../src/protocol/event.ts';
import type { Session } from '../../src/protocol/session.ts';
import { allEvents } from '../support/all-events.ts';
import { api } from '../support/client.ts';
import { startServer, type TestServer } from '../support/real-server.ts';
import { waitFor } from '../support/wait-for.ts';

const ENV = { SIGNALBOX_MAX_LIVE: '50', DEMO_AGENT_PACE_MS: '0' };

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ env: ENV });
});
afterAll(() => server.close());

test('[R405] a question of ask_person outlives a killed server, and its answer is the result of the very same call, once', async () => {
  const id = await start('tool ask_person {"question":"Which database?","options":["SQLite","Postgres"]}');
  const asked = await eventOf(id, 'permission.requested');
  expect(asked).toMatchObject({ kind: 'question', tool: 'ask_person', title: 'Which database?' });
  expect((await session(id)).status).toBe('waiting');
  await server.kill9();
  await server.restart();
  expect(await answer(asked.requestId, 'Postgres')).toBe(200);
  expect(await eventOf(id, 'turn.completed')).toMatchObject({ result: 'The tool said: Postgres' });
  const call = await eventOf(id, 'tool.asked');
  expect(linesIn(id, call.run).filter((line) => line.request === call.agentRequestId)).toHaveLength(1);
  expect((await allEvents(server, id)).filter(({ type }) => type === 'tool.answered' || type === 'permission.resolved')).toMatchObject([
    { type: 'permission.resolved', actor: { kind: 'person' } },
    { type: 'tool.answered', outcome: 'answered', text: 'Postgres', actor: { kind: 'person' } },
  ]);
});

test('[R407] over HTTP, a question that nobody waits for is answered with one message, and a repeated call finds the same question', async () => {
  const { id, agent } = await idleAgent();
  const ask = { question: 'Which port?', askId: 'port-1' };
  const lost = new AbortController();
  const first = agent('POST', '/api/tools/ask_person', ask, lost.signal).catch(() => undefined);
  const asked = await eventOf(id, 'permission.requested');
  lost.abort();
  await first;
  await server.kill9();
  await server.restart();
  const again = agent('POST', '/api/tools/ask_person', ask);
  await waitFor('the second caller', async () => (await allEvents(server, id)).some(({ type }) => type === 'session.status'));
  expect((await allEvents(server, id)).filter(({ type }) => type === 'permission.requested')).toHaveLength(1);
  expect(await answer(asked.requestId, '5433')).toBe(200);
  expect((await again).body).toEqual({ state: 'answered', text: '5433' });
  const answered = await eventOf(id, 'tool.answered');
  const inputs = () => allEvents(server, id).then((events) => events.filter(({ type }) => type === 'input.accepted'));
  expect([answered.delivery, (await inputs()).length]).toEqual(['call', 1]);

  const unheard = new AbortController();
  const second = agent('POST', '/api/tools/ask_person', { question: 'Which host?', askId: 'host-1' }, unheard.signal).catch(() => undefined);
  const other = await eventOf(id, 'permission.requested', ({ title }) => title === 'Which host?');
  unheard.abort();
  await second;
  await waitFor('the caller to be gone', async () => (await agent('GET', '/api/tools')).status === 200);
  expect(await answer(other.requestId, 'localhost')).toBe(200);
  expect(await eventOf(id, 'tool.answered', ({ text }) => text === 'localhost')).toMatchObject({ delivery: 'input' });
  expect(await inputs()).toMatchObject([{}, { text: 'The answer to your question “Which host?”:\n\nlocalhost' }]);
  expect((await agent('POST', '/api/tools/ask_person', { question: 'Which host?', askId: 'host-1' })).body).toEqual({ state: 'answered', text: 'localhost' });
  expect(await inputs()).toHaveLength(2);
});

test('[R407] an answer that waits as a message is taken back when the caller returns before it is delivered', async () => {
  const id = await start('tool ask_person {"question":"Busy?"}');
  await eventOf(id, 'permission.requested');
  const agent = agentOf(await environmentOf(id));
  const ask = { question: 'Which name?', askId: 'name-1' };
  const lost = new AbortController();
  const first = agent('POST', '/api/tools/ask_person', ask, lost.signal).catch(() => undefined);
  const asked = await eventOf(id, 'permission.requested', ({ title }) => title === 'Which name?');
  lost.abort();
  await first;
  await waitFor('the caller to be gone', async () => (await agent('GET', '/api/tools')).status === 200);
  expect(await answer(asked.requestId, 'Ada')).toBe(200);
  expect((await session(id)).queue).toMatchObject([{}, { commandId: expect.stringContaining('name-1'), state: 'accepted' }]);
  expect((await agent('POST', '/api/tools/ask_person', ask)).body).toEqual({ state: 'answered', text: 'Ada' });
  expect((await session(id)).queue).toHaveLength(1);
});

test('[R408] what an agent may not do is refused with 403 and kept in the audit under its name', async () => {
  const { id, agent } = await idleAgent();
  const other = await start('write for the card');
  const { requestId } = await eventOf(other, 'permission.requested');
  const hidden = await start('hello');
  await api(server, 'PATCH', `/api/sessions/${hidden}`, { closed: true });
  const refused = [
    ['POST', `/api/permissions/${encodeURIComponent(requestId)}`, { behavior: 'allow' }],
    ['POST', '/api/rules', { behavior: 'allow', tool: 'Bash', command: 'ls', scope: { kind: 'everywhere' } }],
    ['POST', '/api/tokens', { name: 'mine', role: 'owner' }],
    ['PUT', `/api/sessions/${id}/permission-mode`, { mode: 'bypassPermissions' }],
    ['POST', `/api/sessions/${other}/input`, { text: 'do it' }],
    ['GET', `/api/sessions/${hidden}`, undefined],
    ['POST', '/api/tools/start_session', { prompt: 'hello', env: { A: 'b' } }],
    ['POST', '/api/tools/start_session', { prompt: 'hello', cwd: '/' }],
    ['POST', '/api/tools/start_session', { prompt: 'hello', permissionMode: 'acceptEdits' }],
    ['POST', '/api/tools/send_to_session', { sessionId: other, text: '/clear' }],
  ] as const;
  for (const [method, path, body] of refused) expect([path, (await agent(method, path, body)).status]).toEqual([path, 403]);
  expect((await agent('POST', '/api/tools/read_session', { sessionId: hidden })).status).toBe(404);
  const { entries } = (await api<{ entries: { actor: { kind: string }; words: string }[] }>(server, 'GET', `/api/audit?session=${id}&limit=200`)).body;
  expect(entries.filter(({ actor, words }) => actor.kind === 'agent' && words.includes('refused'))).toHaveLength(refused.length + 1);
});

test('[R409] an agent starts at most five sessions in its whole tree, two levels deep, with its own owner and folder', async () => {
  const { id, agent } = await idleAgent();
  const started: string[] = [];
  for (let number = 1; number <= 4; number += 1) {
    const reply = await agent('POST', '/api/tools/start_session', { prompt: 'hello', title: `Child ${number}` });
    started.push(/session (\w+)/.exec(reply.body.text ?? '')?.[1] ?? JSON.stringify(reply));
  }
  const [first = ''] = started;
  expect(await session(first)).toMatchObject({ startedBy: id, owner: (await session(id)).owner, cwd: server.project, title: 'Child 1' });
  const child = agentOf(await environmentOf(first));
  const grandchild = /session (\w+)/.exec((await child('POST', '/api/tools/start_session', { prompt: 'hello' })).body.text ?? '')?.[1] ?? '';
  expect((await session(grandchild)).startedBy).toBe(first);
  const sixth = [await agent('POST', '/api/tools/start_session', { prompt: 'hello' }), await child('POST', '/api/tools/start_session', { prompt: 'hello' })];
  expect(sixth.map(({ status }) => status)).toEqual([403, 403]);
  const deep = agentOf(await environmentOf(grandchild));
  expect((await deep('POST', '/api/tools/start_session', { prompt: 'hello' })).body.error?.message).toContain('At this depth');

  expect((await child('POST', '/api/tools/send_to_session', { sessionId: id, text: 'half way' })).status).toBe(200);
  const told = await eventOf(id, 'user.message', ({ text }) => text.includes('half way'));
  expect([told.origin, told.text.split('\n')[0]]).toEqual(['agent', `Message from the agent of the session “Child 1” (demo, ${first}):`]);

  const stranger = await start('hello');
  const pending = child('POST', '/api/tools/send_to_session', { sessionId: stranger, text: 'may I?' });
  const card = await eventOf(first, 'permission.requested');
  expect(card.title).toContain('may I?');
  await answer(card.requestId, 'Send it');
  expect((await pending).status).toBe(200);
  await eventOf(stranger, 'user.message', ({ text }) => text.includes('may I?'));
  await api(server, 'POST', `/api/sessions/${first}/stop`, {});
  await waitFor('the token to end with its run', async () => (await child('GET', '/api/tools')).status === 401);
});

test('[R410] MCP over HTTP lists and calls the tools, and seventeen bad inputs are refused without harm', async () => {
  const { agent, env } = await idleAgent();
  const rpc = (method: string, params: object = {}) => ({ jsonrpc: '2.0', id: 1, method, params });
  const mcp = (body: unknown, headers: Record<string, string> = {}) =>
    fetch(`${server.url}/mcp`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${env.SIGNALBOX_RUN_TOKEN}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...headers,
      },
      body: typeof body === 'string' || body instanceof Uint8Array ? (body as string) : JSON.stringify(body),
    });
  const listed = await (await mcp(rpc('tools/list'))).text();
  for (const { name } of AGENT_TOOLS) expect(listed).toContain(`"${name}"`);
  expect(await (await mcp(rpc('tools/call', { name: 'report', arguments: { state: 'progress', summary: 'half' } }))).text()).toContain('Noted.');
  const call = (name: unknown, args: unknown) => rpc('tools/call', { name, arguments: args });
  const bad: readonly (readonly [string, () => Promise<Response>])[] = [
    ['a body of 64 MB', () => mcp(Buffer.alloc(64 * 1024 * 1024, 32))],
    ['broken JSON', () => mcp('{"jsonrpc":"2.0",')],
    ['an empty body', () => mcp('')],
    ['a number', () => mcp('7')],
    ['null', () => mcp('null')],
    ['no method', () => mcp({ jsonrpc: '2.0', id: 1 })],
    ['another version', () => mcp({ ...rpc('tools/list'), jsonrpc: '1.0' })],
    ['an unknown method', () => mcp(rpc('tools/forget'))],
    ['an unknown tool', () => mcp(call('drop_tables', {}))],
    ['a tool named like a property', () => mcp(call('__proto__', {}))],
    ['arguments that are a list', () => mcp(call('report', []))],
    ['an unknown argument', () => mcp(call('report', { state: 'done', shell: 'rm' }))],
    ['a NUL in an id', () => mcp(call('read_session', { sessionId: 'a\0b' }))],
    ['a batch', () => mcp([rpc('tools/list'), rpc('tools/list')])],
    ['another Origin', () => mcp(rpc('tools/list'), { origin: 'https://example.org' })],
    ['no token', () => mcp(rpc('tools/list'), { authorization: '' })],
    ['another content type', () => mcp('hello', { 'content-type': 'text/plain' })],
  ];
  for (const [what, send] of bad) {
    const response = await send().catch((error: unknown) => error as Error);
    // The server closes the connection on a body far over the limit while it is still being sent.
    if (response instanceof Error) {
      expect(what).toBe('a body of 64 MB');
      continue;
    }
    const text = await response.text();
    const isRefused = response.status >= 400 ? response.status < 500 : /"error"|"isError":true/.test(text);
    expect([what, isRefused || (what === 'a batch' && response.status < 500), response.status, text.slice(0, 200)]).toEqual([
      what,
      true,
      response.status,
      text.slice(0, 200),
    ]);
  }
  expect(bad).toHaveLength(17);
  expect((await agent('GET', '/api/tools')).status).toBe(200);
});

test('[R411] `signalbox mcp` passes messages on, also across a restart, and `signalbox tool` uses only the run’s token', async () => {
  const { id, env } = await idleAgent();
  const inRun: Environment = { ...env, SIGNALBOX_RUN: 'r', SIGNALBOX_DATA: server.data, HOME: server.home, PATH: process.env.PATH ?? '' };
  const bridge = spawn(process.execPath, [BIN, 'mcp'], { env: inRun, stdio: ['pipe', 'pipe', 'inherit'] });
  const lines: string[] = [];
  createInterface({ input: bridge.stdout }).on('line', (line) => lines.push(line));
  const ask = (rpcId: number, method: string, params: object) => bridge.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: rpcId, method, params })}\n`);
  ask(1, 'initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } });
  await waitFor('the handshake', () => lines.some((line) => line.includes('"serverInfo"')));
  await server.kill9();
  ask(2, 'tools/call', { name: 'report', arguments: { state: 'done', summary: 'after the restart' } });
  await server.restart();
  await waitFor('the result', () => lines.some((line) => line.includes('Noted.')));
  bridge.stdin.end();
  await once(bridge, 'exit');
  expect((await allEvents(server, id)).filter(({ type }) => type === 'tool.asked')).toHaveLength(1);
  const tool = (args: readonly string[], withToken: Readonly<Record<string, string>>) =>
    spawnSync(process.execPath, [BIN, 'tool', ...args], { env: withToken, encoding: 'utf8' });
  expect(tool(['report', '{"state":"progress"}'], inRun).stdout).toBe('Noted.\n');
  const { SIGNALBOX_RUN_TOKEN: _, ...withoutToken } = inRun;
  expect(tool(['find_sessions'], withoutToken)).toMatchObject({ status: 4, stderr: expect.stringContaining('no token of its own') });
});

test('[R412] a session without tools, and a server without them, give agents neither tools nor a token', async () => {
  const id = await start('tool report {"state":"done"}', { tools: false });
  expect((await environmentOf(id)).SIGNALBOX_RUN_TOKEN).toBeUndefined();
  expect(await eventOf(id, 'tool.answered')).toMatchObject({ outcome: 'refused', text: expect.stringContaining('switched off') });
  await server.restart({ env: { ...ENV, SIGNALBOX_AGENT_TOOLS: '0' } });
  const other = await start('tool ask_person {"question":"Which?"}');
  expect((await environmentOf(other)).SIGNALBOX_RUN_TOKEN).toBeUndefined();
  expect(await eventOf(other, 'tool.answered')).toMatchObject({ outcome: 'refused' });
  expect((await allEvents(server, other)).some(({ type }) => type === 'permission.requested')).toBe(false);
  await server.restart();
});

const BIN = resolve(import.meta.dirname, '../../bin/signalbox.mjs');

type Environment = Readonly<Record<string, string>>;
interface ToolBody {
  readonly state?: string;
  readonly text?: string;
  readonly error?: { readonly message: string };
}

const environmentOf = async (id: string): Promise<Environment> => {
  const pid = await waitFor('the agent to run', async () => (await session(id)).pid);
  const variables = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
  return Object.fromEntries(
    variables.filter((entry) => entry.startsWith('SIGNALBOX_')).map((entry) => [entry.split('=', 1)[0], entry.slice(entry.indexOf('=') + 1)]),
  );
};

/** Calls as the agent of that run. */
const agentOf =
  (env: Environment) =>
  async (method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<{ readonly status: number; readonly body: ToolBody }> => {
    const response = await fetch(`${env.SIGNALBOX_URL}${path}`, {
      method,
      headers: { authorization: `Bearer ${env.SIGNALBOX_RUN_TOKEN}`, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    });
    return { status: response.status, body: (await response.json()) as ToolBody };
  };

async function idleAgent(): Promise<{ readonly id: string; readonly env: Environment; readonly agent: ReturnType<typeof agentOf> }> {
  const id = await start('hello');
  await eventOf(id, 'turn.completed');
  const env = await environmentOf(id);
  return { id, env, agent: agentOf(env) };
}

const start = async (prompt: string, more: object = {}): Promise<string> => {
  const created = await api<Session>(server, 'POST', '/api/sessions', { agent: 'demo', cwd: server.project, prompt, ...more });
  expect(created.status).toBe(201);
  return created.body.id;
};
const session = async (id: string): Promise<Session> => (await api<Session>(server, 'GET', `/api/sessions/${id}`)).body;
const answer = async (requestId: string, words: string): Promise<number> =>
  (await api(server, 'POST', `/api/permissions/${encodeURIComponent(requestId)}`, { behavior: 'allow', answers: { answer: words } })).status;

async function eventOf<T extends EventType>(id: string, type: T, matches: (event: EventOf<T>) => boolean = () => true): Promise<EventOf<T>> {
  const isMatch = (event: Event): event is EventOf<T> => event.type === type && matches(event as EventOf<T>);
  return waitFor(`${type} in ${id}`, async () => (await allEvents(server, id)).find(isMatch));
}

const linesIn = (id: string, run: string): readonly { readonly request?: string }[] =>
  readFileSync(join(server.data, 'sessions', id, run, 'in.ndjson'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

test('[R486] an agent comments on its own files under its name and answers comments of its review; it never changes, withdraws or settles one', async () => {
  const { id, agent } = await idleAgent();
  writeFileSync(join(server.project, 'date.txt'), 'one\ntwo\n');
  const made = await agent('POST', '/api/tools/annotate', { file: 'date.txt', line: 2, kind: 'question', text: 'On purpose?' });
  expect(made.status).toBe(200);
  const drafts = async () => (await api<{ annotations: Annotation[] }>(server, 'GET', `/api/sessions/${id}/annotations`)).body.annotations;
  const [draft] = await drafts();
  expect(draft).toMatchObject({ state: 'draft', by: { kind: 'agent', name: 'demo' }, text: 'On purpose?', anchor: { quote: 'two' } });
  expect((await agent('POST', '/api/tools/annotate', { file: '/etc/hostname', line: 1, kind: 'note', text: 'x' })).status).toBeGreaterThanOrEqual(400);
  expect((await agent('POST', '/api/tools/answer_annotation', { label: 'A1', text: 'no review yet' })).status).toBe(404);

  const target = { type: 'code', file: 'date.txt', lineStart: 1 };
  const comment = await api<Annotation>(server, 'POST', '/api/annotations', { sessionId: id, target, kind: 'action', text: 'wait for me' });
  const annotationIds = [comment.body.annotationId, draft?.annotationId];
  const preview = await api<{ messages: { text: string }[] }>(server, 'POST', '/api/reviews/preview', { annotationIds, to: [{ sessionId: id }] });
  expect(preview.body.messages[0]?.text).toContain('author="demo"');
  const turns = (await allEvents(server, id)).filter(({ type }) => type === 'turn.started').length;
  await api(server, 'POST', '/api/reviews', { annotationIds, to: [{ sessionId: id }], commandId: `review-${id}` });
  await waitFor('the review’s turn', async () => (await allEvents(server, id)).filter(({ type }) => type === 'turn.started').length > turns);
  await eventOf(id, 'review.sent');
  await waitFor('an answer', async () => (await agent('POST', '/api/tools/answer_annotation', { label: 'A1', text: 'It is one.' })).status === 200);
  const answered = (await drafts()).find(({ annotationId }) => annotationId === comment.body.annotationId);
  expect(answered).toMatchObject({ state: 'answered', answered: { how: 'tool', text: 'It is one.' } });
  const tried = [
    await agent('POST', `/api/annotations/${comment.body.annotationId}/settle`, { outcome: 'verified' }),
    await agent('PATCH', `/api/annotations/${draft?.annotationId}`, { text: 'changed' }),
    await agent('DELETE', `/api/annotations/${draft?.annotationId}`),
    await agent('POST', '/api/annotations', { sessionId: id, target, kind: 'note', text: 'x' }),
  ];
  expect(tried.map(({ status }) => status)).toEqual([403, 403, 403, 403]);
  await api(server, 'POST', `/api/sessions/${id}/interrupt`, {});
});
