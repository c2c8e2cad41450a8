import { afterEach, beforeEach, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../../../../test/support/server/test-server.ts';
import type { Command } from '../../../protocol/command.ts';
import type { SessionId } from '../../../protocol/ids.ts';

let server: TestServer;
const submitted: Command[] = [];
beforeEach(async () => {
  submitted.length = 0;
  server = await startTestServer();
  server.engine.refuseWith((command) => {
    submitted.push(command);
    return undefined;
  });
  await server.post('/api/sessions', { agent: 'stand-in', cwd: '/tmp', id: 's1' });
});
afterEach(() => server.close());

const S1 = 's1' as SessionId;
const json = async (response: Response | Promise<Response>) => (await response).json();
const lastCreation = () => submitted.findLast((command) => command.type === 'session.create');

test('a session that continues another says from what and how', async () => {
  const body = { agent: 'stand-in', cwd: '/tmp', resume: 'latest' };
  await server.post('/api/sessions', body);
  expect(lastCreation()).toMatchObject({ goOn: { how: 'resume', agentSessionId: 'latest', takeUp: true }, options: {} });
  await server.post('/api/sessions', { ...body, id: 'mine' });
  expect(lastCreation()?.goOn).toEqual({ how: 'resume', agentSessionId: 'latest' });
  await server.post('/api/sessions', { ...body, fork: true, at: 7 });
  expect(lastCreation()?.goOn).toEqual({ how: 'fork', agentSessionId: 'latest', at: 7 });
  await server.post('/api/sessions', { ...body, handover: true, takeover: true });
  expect(lastCreation()).toMatchObject({ goOn: { how: 'handover', agentSessionId: 'latest' }, takeover: true });
});

const contradictions: readonly (readonly [name: string, body: object])[] = [
  ['"fork" without "resume"', { fork: true }],
  ['"at" without "resume"', { at: 3 }],
  ['"handover" without "resume"', { handover: true }],
  ['"fork" and "handover" together', { resume: 'x', fork: true, handover: true }],
];
for (const [name, body] of contradictions) {
  test(`${name} is refused, and no fresh session starts instead`, async () => {
    const before = submitted.length;
    const response = await server.post('/api/sessions', { agent: 'stand-in', cwd: '/tmp', ...body });
    expect([response.status, submitted.length]).toEqual([400, before]);
    expect((await json(response)).error.message).toMatch(/"resume"|not both/);
  });
}

test('a fork is created in the original’s folder, and requested twice with one commandId it is one session', async () => {
  const asked = { commandId: 'f1', at: 1, prompt: 'go on', title: 'A copy' };
  const first = await server.post('/api/sessions/s1/fork', asked);
  const again = await server.post('/api/sessions/s1/fork', asked);
  expect([first.status, again.status]).toEqual([201, 201]);
  expect((await json(again)).id).toBe((await json(first)).id);
  expect(lastCreation()).toMatchObject({ agent: 'stand-in', cwd: '/tmp', goOn: { how: 'fork', sessionId: S1, at: 1 }, prompt: 'go on', title: 'A copy' });
  expect((await server.post('/api/sessions/s1/fork', { ...asked, at: 2 })).status).toBe(409);
  expect((await server.post('/api/sessions/nobody/fork', {})).status).toBe(404);
});

test('a handover says which summary to use', async () => {
  expect((await server.post('/api/sessions/s1/handover', { how: 'extract' })).status).toBe(201);
  expect(lastCreation()?.goOn).toEqual({ how: 'handover', sessionId: S1, summary: 'extract' });
});

test('a refusal to continue reaches the person with its reason', async () => {
  server.engine.refuseWith(() => ({ refused: 'driven-elsewhere', message: 'Process 7 holds it.' }));
  const response = await server.post('/api/sessions', { agent: 'stand-in', cwd: '/tmp', resume: 'x' });
  expect(response.status).toBe(409);
  expect((await json(response)).error).toEqual({ code: 'driven-elsewhere', message: 'Process 7 holds it.' });
});

test('a rewind returns the agent’s answer, and the same command again returns the same', async () => {
  const commandId = 'w1';
  const ask = () => server.post('/api/sessions/s1/rewind', { seq: 1, dryRun: true, commandId });
  const expected = { commandId, canRewind: true, files: ['/tmp/a'], insertions: 1 };
  expect(await json(ask())).toEqual(expected);
  expect(await json(ask())).toEqual(expected);
  expect(server.engine.events(S1, { after: 0, limit: 100 }).filter((event) => event.type === 'rewind.requested')).toHaveLength(1);
});

test('an agent’s past conversations are listed', async () => {
  expect(await json(server.fetch('/api/agents/stand-in/past?cwd=/tmp&q=x'))).toEqual({ conversations: [], more: false });
});
