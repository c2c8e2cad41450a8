import { afterEach, beforeEach, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../../../../test/support/server/test-server.ts';
import type { EventBody } from '../../../protocol/event.ts';
import type { RequestId, SessionId } from '../../../protocol/ids.ts';

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer();
});
afterEach(() => server.close());

const RULE = { behavior: 'allow', tool: 'Bash', command: 'git status', scope: { kind: 'everywhere' } };
const as = (role: 'viewer' | 'driver') => ({ authorization: `Bearer ${server.token[role]}` });
const json = async (response: Response | Promise<Response>) => (await response).json();
const listed = async () => (await json(server.fetch('/api/rules'))).rules;
const revoke = (id: string, headers: Record<string, string> = {}) => server.fetch(`/api/rules/${id}`, { method: 'DELETE', headers });

const asked: EventBody = {
  type: 'permission.requested',
  requestId: 'r1:7' as RequestId,
  agentRequestId: '7',
  tool: 'Write',
  input: { path: 'a' },
  kind: 'tool',
};
async function addPendingRequest(): Promise<void> {
  await server.post('/api/sessions', { agent: 'stand-in', cwd: '/tmp', id: 's1' });
  server.engine.observe('s1' as SessionId, asked);
}

test('an owner creates a rule, everyone sees it, and the owner revokes it', async () => {
  const made = await server.post('/api/rules', { ...RULE, note: 'it only looks' });
  const rule = await json(made);
  expect(made.status).toBe(201);
  expect(rule).toMatchObject({ ...RULE, note: 'it only looks', uses: 0, createdBy: { kind: 'person', name: 'owner' } });
  expect((await json(server.fetch('/api/rules', { headers: as('viewer') }))).rules).toEqual([rule]);
  expect((await revoke(rule.id)).status).toBe(200);
  expect(await listed()).toEqual([]);
  expect((await revoke(rule.id)).status).toBe(404);
});

test('the same commandId creates one rule', async () => {
  const make = (body: object) => server.post('/api/rules', { ...body, commandId: 'c1' });
  const first = await json(make(RULE));
  expect((await json(make(RULE))).id).toBe(first.id);
  expect((await make({ ...RULE, command: 'rm' })).status).toBe(409);
  expect(await listed()).toHaveLength(1);
});

test('a rule can replace another', async () => {
  const wide = await json(server.post('/api/rules', { ...RULE, command: 'git *' }));
  const narrow = await json(server.post('/api/rules', { ...RULE, replaces: wide.id }));
  expect(await listed()).toEqual([{ ...narrow, replaces: wide.id }]);
  expect((await server.post('/api/rules', { ...RULE, replaces: wide.id })).status).toBe(404);
});

test('only an owner creates, tests and revokes rules', async () => {
  const { id } = await json(server.post('/api/rules', RULE));
  for (const role of ['viewer', 'driver'] as const) {
    const answers = [await server.post('/api/rules', RULE, as(role)), await server.post('/api/rules/test', RULE, as(role)), await revoke(id, as(role))];
    expect(answers.map((answer) => answer.status)).toEqual([403, 403, 403]);
  }
  expect(await listed()).toHaveLength(1);
});

test('a rule is tested without being created', async () => {
  const tried = await server.post('/api/rules/test', RULE);
  expect([tried.status, await json(tried)]).toEqual([200, expect.objectContaining({ calls: 0, matched: 0 })]);
  expect(await listed()).toEqual([]);
});

test('a body that is not a rule is refused', async () => {
  const bodies = [
    { ...RULE, behavior: 'ask' },
    { ...RULE, scope: { kind: 'session' } },
    { ...RULE, tool: '' },
  ];
  for (const body of bodies) expect((await server.post('/api/rules', body)).status).toBe(400);
});

test('a pending request lists the rules that could be made from it', async () => {
  await addPendingRequest();
  const proposals = await server.fetch(`/api/permissions/${encodeURIComponent('r1:7')}/proposals`, { headers: as('driver') });
  expect([proposals.status, await json(proposals)]).toEqual([200, { proposals: [{ pattern: { tool: 'Write' }, words: 'Write' }] }]);
  expect((await server.fetch('/api/permissions/nobody/proposals')).status).toBe(404);
});

test('[R165] a driver can remember an answer for the session; anything broader needs an owner, over HTTP and sockets', async () => {
  await addPendingRequest();
  const path = `/api/permissions/${encodeURIComponent('r1:7')}`;
  const client = await server.connect(server.token.driver);
  for (const scope of ['project', 'everywhere'] as const) {
    const refused = await server.post(path, { behavior: 'allow', remember: { scope } }, as('driver'));
    expect([refused.status, (await json(refused)).error.message]).toEqual([403, expect.stringContaining('Only an owner')]);
    client.send({ type: 'permission', requestId: 'r1:7', commandId: `c-${scope}`, behavior: 'allow', remember: { scope } });
    expect(await client.next('refused')).toMatchObject({ commandId: `c-${scope}`, code: 'not-permitted' });
  }
  expect(server.engine.permissions()).toHaveLength(1);
  expect((await server.post(path, { behavior: 'allow', remember: { scope: 'session' } }, as('driver'))).status).toBe(200);
});

test('an owner can remember an answer everywhere', async () => {
  await addPendingRequest();
  const answer = await server.post(`/api/permissions/${encodeURIComponent('r1:7')}`, { behavior: 'allow', remember: { scope: 'everywhere' } });
  expect(answer.status).toBe(200);
});
