import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { TestClient } from '../../../test/support/server/test-client.ts';
import { startTestServer, type TestServer } from '../../../test/support/server/test-server.ts';
import { unknownConversation } from '../../engine/continue/continue-record.ts';
import type { EventBody } from '../../protocol/event.ts';
import { ClientFrame } from '../../protocol/frame.ts';
import type { RequestId, SessionId } from '../../protocol/ids.ts';
import { ROUTES } from '../http/routes/index.ts';
import { engineFor } from './access.ts';

const MINE = 'mine' as SessionId;
const asked: EventBody = { type: 'permission.requested', requestId: 'r1' as RequestId, agentRequestId: '1', tool: 'T', input: {}, kind: 'tool' };

let server: TestServer;
/** The driver who created the session, and another one. */
let dora: string;
let otto: string;

beforeEach(async () => {
  server = await startTestServer();
  dora = server.token.driver;
  otto = server.tokens.add('otto', 'driver');
  await as(dora, 'POST', '/api/sessions', { agent: 'stand-in', cwd: '/', id: MINE, title: 'the secret' });
  server.engine.observe(MINE, asked, { type: 'session.status', status: 'busy', cause: 'test' });
});
afterEach(() => server.close());

const as = (token: string, method: string, path: string, body?: unknown): Promise<Response> =>
  server.fetch(path, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });

const close = async () => expect((await as(dora, 'PATCH', `/api/sessions/${MINE}`, { closed: true })).status).toBe(200);

/** A valid body for each route. A new route needs an entry here and then follows the same rule. */
const BODIES: Readonly<Record<string, unknown>> = {
  'GET /api/sessions/:id': undefined,
  'PATCH /api/sessions/:id': { title: 'x' },
  'DELETE /api/sessions/:id': undefined,
  'GET /api/sessions/:id/events': undefined,
  'PUT /api/sessions/:id/seen': { seq: 0 },
  'DELETE /api/sessions/:id/seen': undefined,
  'POST /api/sessions/:id/input': { text: 'x' },
  'POST /api/sessions/:id/interrupt': {},
  'POST /api/sessions/:id/stop': {},
  'POST /api/sessions/:id/wake': {},
  'POST /api/sessions/:id/sleep': {},
  'POST /api/sessions/:id/queue/pause': {},
  'POST /api/sessions/:id/queue/resume': {},
  'POST /api/sessions/:id/queue/clear': {},
  'PATCH /api/sessions/:id/queue/:commandId': { text: 'x' },
  'DELETE /api/sessions/:id/queue/:commandId': undefined,
  'PUT /api/sessions/:id/model': { model: 'x' },
  'PUT /api/sessions/:id/permission-mode': { mode: 'plan' },
  'PUT /api/sessions/:id/thinking': { thinking: 'low' },
  'GET /api/continuation': undefined,
  'PUT /api/continuation': { scope: { kind: 'everywhere' }, choice: 'unset' },
  'POST /api/sessions/:id/continuation': { at: '2030-01-01T00:00:00.000Z' },
  'DELETE /api/sessions/:id/continuation': undefined,
  'GET /api/sessions/:id/at/:seq': undefined,
  'GET /api/sessions/:id/health': undefined,
  'GET /api/sessions/:id/runs': undefined,
  'GET /api/sessions/:id/export': undefined,
  'GET /api/sessions/:id/file-names': undefined,
  'GET /api/sessions/:id/commands': undefined,
  'GET /api/sessions/:id/changes': undefined,
  'GET /api/sessions/:id/tree': undefined,
  'GET /api/sessions/:id/files': undefined,
  'GET /api/sessions/:id/files/image': undefined,
  'GET /api/sessions/:id/git': undefined,
  'POST /api/sessions/:id/git/trust': { sha256: 'a'.repeat(64) },
  'POST /api/sessions/:id/git/stage': { paths: ['x'] },
  'POST /api/sessions/:id/git/card': { card: 'x' },
  'POST /api/sessions/:id/git/discard': { paths: ['x'] },
  'POST /api/sessions/:id/git/message': {},
  'POST /api/sessions/:id/git/pr': { title: 'x', body: '' },
  'GET /api/sessions/:id/git/pr': undefined,
  'POST /api/sessions/:id/git/commit': { message: 'x' },
  'POST /api/sessions/:id/git/push': {},
  'POST /api/sessions/:id/git/unstage': { paths: ['x'] },
  'GET /api/sessions/:id/timeline': undefined,
  'GET /api/sessions/:id/raw': undefined,
  'PATCH /api/sessions/:id/items/:seq': { star: true },
  'GET /api/sessions/:id/annotations': undefined,
  'POST /api/sessions/:id/fork': {},
  'POST /api/sessions/:id/handover': {},
  'POST /api/sessions/:id/side-question': { question: 'x' },
  'POST /api/sessions/:id/takeover': {},
  'POST /api/sessions/:id/rewind': { seq: 1 },
  'GET /api/sessions/:id/checkpoints': undefined,
  'GET /api/sessions/:id/checkpoints/diff': undefined,
  'POST /api/sessions/:id/checkpoints/enable': {},
  'POST /api/sessions/:id/revert': { to: 1 },
  'GET /api/sessions/:id/branches': undefined,
  'POST /api/sessions/:id/restore': undefined,
  'GET /api/sessions/:id/input': undefined,
  'POST /api/sessions/:id/input/ack': { commandId: 'c1' },
  'POST /api/sessions/:id/share': { expiresAt: '2999-01-01T00:00:00.000Z' },
  'POST /api/permissions/:requestId': { behavior: 'allow' },
  'GET /api/permissions/:requestId/proposals': undefined,
};

const nameless = (text: string): string => text.replace(/\b(mine|r1|unknown)\b/g, '…');

const ROUTES_TO_SESSIONS = ROUTES.filter(
  (route) =>
    /:id\b|:requestId\b/.test(route.path) &&
    !/^\/api\/(rules|agents|projects|push|annotations|reviews|worktrees|webhooks|shares|nodes|plans)\b/.test(route.path),
);

describe('a private session', () => {
  for (const route of ROUTES_TO_SESSIONS) {
    const name = `${route.method} ${route.path}`;
    const address = (id: string, requestId: string) =>
      route.path.replace(':id', id).replace(':requestId', requestId).replace(':commandId', 'c1').replace(':seq', '2');

    test(`does not exist for another driver at ${name}`, async () => {
      expect(Object.keys(BODIES), `add a body for ${name} to BODIES`).toContain(name);
      await close();
      const closed = await as(otto, route.method, address(MINE, 'r1'), BODIES[name]);
      const unknown = await as(otto, route.method, address('unknown', 'unknown'), BODIES[name]);
      expect(closed.status).toBe(route.role === 'owner' ? 403 : 404);
      expect([closed.status, nameless(await closed.text())]).toEqual([unknown.status, nameless(await unknown.text())]);
      expect([400, 404]).not.toContain((await as(server.token.owner, route.method, address(MINE, 'r1'), BODIES[name])).status);
    });
  }

  test('is in nobody else’s lists, and neither are its pending requests', async () => {
    await close();
    const lists = async (token: string) => [
      await (await as(token, 'GET', '/api/sessions')).json(),
      await (await as(token, 'GET', '/api/permissions')).json(),
      await (await as(token, 'GET', `/api/permissions?session=${MINE}`)).json(),
    ];
    expect(await lists(otto)).toEqual([{ sessions: [] }, { permissions: [] }, { permissions: [] }]);
    for (const token of [dora, server.token.owner]) {
      expect(await lists(token)).toMatchObject([{ sessions: [{ id: MINE }] }, { permissions: [{}] }, { permissions: [{}] }]);
    }
  });

  test('does not make a list page shorter', async () => {
    await close();
    for (const id of ['a', 'b', 'c']) await as(otto, 'POST', '/api/sessions', { agent: 'stand-in', cwd: '/', id });
    const seen: string[] = [];
    for (let cursor: string | undefined = ''; cursor !== undefined; ) {
      const page = await (await as(otto, 'GET', `/api/sessions?limit=1${cursor && `&cursor=${encodeURIComponent(cursor)}`}`)).json();
      expect(page.sessions.length).toBeLessThanOrEqual(1);
      seen.push(...page.sessions.map((session: { id: string }) => session.id));
      cursor = page.nextCursor;
    }
    expect(seen.sort()).toEqual(['a', 'b', 'c']);
  });

  test('only shows that its id is taken, even for the body that created it', async () => {
    await close();
    const body = { agent: 'stand-in', cwd: '/', id: MINE, title: 'the secret' };
    const answers = [await as(otto, 'POST', '/api/sessions', body), await as(otto, 'POST', '/api/sessions', { ...body, title: 'other' })];
    expect(answers.map((answer) => answer.status)).toEqual([409, 409]);
    expect(await answers[0]?.text()).toBe(await answers[1]?.text());
    expect((await as(dora, 'POST', '/api/sessions', body)).status).toBe(201);
  });

  test('shows others only their own actions in the audit log', async () => {
    await as(otto, 'POST', `/api/sessions/${MINE}/input`, { text: 'while it was open' });
    await close();
    const actions = async (token: string) => (await (await as(token, 'GET', '/api/audit')).json()).entries.map((entry: { words: string }) => entry.words);
    expect(await actions(otto)).toEqual([expect.stringContaining('sent a message')]);
    expect(await actions(dora)).toHaveLength(3);
    expect(await actions(server.token.owner)).toHaveLength(3);
  });

  test('hides its rules from others', async () => {
    const rule = { behavior: 'allow', tool: 'T', scope: { kind: 'session', sessionId: MINE } };
    expect((await as(server.token.owner, 'POST', '/api/rules', rule)).status).toBe(201);
    const rules = async (token: string) => (await (await as(token, 'GET', '/api/rules')).json()).rules.length;
    expect(await rules(otto)).toBe(1);
    await close();
    expect([await rules(otto), await rules(dora), await rules(server.token.owner)]).toEqual([0, 1, 1]);
  });

  test('can’t be continued by others, by any id of its conversation', async () => {
    server.engine.observe(MINE, { type: 'session.started', agentSessionId: 'mind-1', tools: [], commands: [], mcpServers: [], cwd: '/' });
    await close();
    const creation = { type: 'session.create', commandId: 'c1', sessionId: 'copy', agent: 'stand-in', cwd: '/', options: {} } as never;
    const forks = [
      { parent: { sessionId: MINE, seq: 1 } },
      { origin: { kind: 'fork', agentSessionId: 'mind-1' } },
      { origin: { kind: 'resume', agentSessionId: 'mind-1' } },
      { goOn: { how: 'resume', agentSessionId: 'mind-1' } },
      { goOn: { how: 'handover', sessionId: MINE } },
    ];
    const identity = server.tokens.verify(otto)!;
    const actor = { kind: 'person', id: identity.id, name: 'otto' } as const;
    const engine = engineFor(server.engine, () => identity);
    const refusals = await Promise.all(forks.map((fork) => engine.submit({ ...(creation as object), ...fork } as never, actor)));
    server.engine.observe(MINE, { type: 'session.started', agentSessionId: 'mind-2', tools: [], commands: [], mcpServers: [], cwd: '/' });
    const afterClear = await engine.submit({ ...(creation as object), goOn: { how: 'fork', agentSessionId: 'mind-1' } } as never, actor);
    expect(afterClear).toEqual(unknownConversation('mind-1'));
    expect(refusals).toMatchObject([
      { refused: 'not-found' },
      { refused: 'cannot-resume' },
      { refused: 'cannot-resume' },
      { refused: 'cannot-resume' },
      { refused: 'not-found' },
    ]);
    expect(await engineFor(server.engine, () => server.tokens.verify(dora)!).submit({ ...(creation as object), ...forks[1] } as never, actor)).toHaveProperty(
      'seq',
    );
  });

  test('can be made private or public only by its owner and the role owner', async () => {
    const change = async (token: string, closed: boolean) => (await as(token, 'PATCH', `/api/sessions/${MINE}`, { closed })).status;
    expect(await change(otto, true)).toBe(403);
    expect(await change(dora, true)).toBe(200);
    expect(await change(server.token.owner, false)).toBe(200);
    expect((await as(otto, 'GET', `/api/sessions/${MINE}`)).status).toBe(200);
  });

  test('[R164] is not visible to a new token with the name of its owner', async () => {
    await close();
    server.tokens.revoke('dora');
    const another = server.tokens.add('dora', 'driver');
    expect((await as(another, 'GET', `/api/sessions/${MINE}`)).status).toBe(404);
    expect((await as(server.token.owner, 'GET', `/api/sessions/${MINE}`)).status).toBe(200);
  });
});

const FRAMES: Readonly<Record<ClientFrame['type'], ((id: string, requestId: string) => object) | undefined>> = {
  hello: undefined,
  ping: undefined,
  unsubscribe: undefined,
  subscribe: (sessionId) => ({ type: 'subscribe', sessionId }),
  input: (sessionId) => ({ type: 'input', sessionId, commandId: 'c1', text: 'x' }),
  interrupt: (sessionId) => ({ type: 'interrupt', sessionId, commandId: 'c2' }),
  permission: (_, requestId) => ({ type: 'permission', requestId, commandId: 'c3', behavior: 'allow' }),
};

describe('over a socket, a private session', () => {
  let socket: TestClient;
  beforeEach(async () => {
    socket = await server.connect(otto);
  });

  /** Resolves when everything sent so far has arrived. */
  const settled = async () => {
    socket.send({ type: 'ping' });
    await socket.next('pong');
  };
  const frames = (about: string) => JSON.stringify(socket.frames).includes(about);

  for (const [type, frame] of Object.entries(FRAMES)) {
    if (frame === undefined) continue;
    test(`[R163] does not exist for the frame ${type}`, async () => {
      await close();
      socket.send(frame(MINE, 'r1'));
      socket.send(frame('unknown', 'unknown'));
      const [closed, unknown] = [await socket.next('refused'), await socket.next('refused')];
      expect(closed.code).toBe('not-found');
      expect(nameless(JSON.stringify(closed))).toBe(nameless(JSON.stringify(unknown)));
      expect(server.engine.events(MINE, { after: 0, limit: 100 }).some((event) => event.actor?.name === 'otto')).toBe(false);
    });
  }

  test('every frame that a client can send is in this table', () => {
    expect(Object.keys(FRAMES).sort()).toEqual(ClientFrame.def.options.map((option) => option.shape.type.def.values[0]).sort());
  });

  test('is in no list, and sends no status', async () => {
    await close();
    socket.send({ type: 'subscribe', sessionId: '*' });
    expect((await socket.next('sessions')).sessions).toEqual([]);
    server.engine.observe(MINE, { type: 'session.status', status: 'idle', cause: 'test' });
    await as(server.token.owner, 'DELETE', `/api/sessions/${MINE}`);
    await settled();
    expect(frames(MINE)).toBe(false);
  });

  test('disappears immediately for those who watch it, and returns when it becomes public', async () => {
    socket.send({ type: 'subscribe', sessionId: '*' });
    socket.send({ type: 'subscribe', sessionId: MINE });
    await socket.next('snapshot');
    await close();
    await socket.until((frame) => frame.type === 'status' && frame.sessionId === MINE && frame.deleted === true);
    const before = socket.frames.length;
    server.engine.observe(MINE, { type: 'notice.shown', level: 'info', text: 'not sent' });
    await settled();
    expect(socket.frames.slice(before).map((frame) => frame.type)).toEqual(['pong']);
    await as(dora, 'PATCH', `/api/sessions/${MINE}`, { closed: false });
    await socket.until((frame) => frame.type === 'status' && frame.session?.id === MINE && frame.session.closed === false);
    expect(frames('not sent')).toBe(false);
  });

  test('stays with its creator', async () => {
    await close();
    const own = await server.connect(dora);
    own.send({ type: 'subscribe', sessionId: MINE });
    expect((await own.next('snapshot')).session).toMatchObject({ closed: true, owner: 'dora' });
  });
});
