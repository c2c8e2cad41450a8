import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Event, EventOf, EventType } from '../../src/protocol/event.ts';
import type { Session } from '../../src/protocol/session.ts';
import { allEvents } from '../support/all-events.ts';
import { api } from '../support/client.ts';
import { startServer, type TestServer } from '../support/real-server.ts';
import { waitFor } from '../support/wait-for.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ env: { SIGNALBOX_MAX_LIVE: '50', DEMO_AGENT_PACE_MS: '0' } });
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
