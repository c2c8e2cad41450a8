import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Event, EventOf, EventType } from '../../src/protocol/event.ts';
import type { Session } from '../../src/protocol/session.ts';
import { allEvents } from '../support/all-events.ts';
import { api } from '../support/client.ts';
import { proofCount } from '../support/proof-length.ts';
import { startServer, type TestServer } from '../support/real-server.ts';
import { seeded } from '../support/seeded.ts';
import { waitFor } from '../support/wait-for.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ env: { SIGNALBOX_MAX_LIVE: '50', DEMO_AGENT_PACE_MS: '0' } });
});
afterAll(() => server.close());

/** 2 in `npm test`; 200 with `npm run prove -- tools`. */
for (let seed = 1; seed <= proofCount(2); seed += 1) {
  test(`[R405] seed ${seed}: however often the server is killed around a question, the agent gets one answer, to that call`, async () => {
    const random = seeded(seed);
    const within = (most: number): number => Math.floor(random() * most);
    const words = `answer ${seed}`;
    const { id } = (await create(`tool ask_person {"question":"Seed ${seed}?"}`)).body;
    // Sometimes the agent asks while no server runs.
    if (within(2) === 0) await killAfter(within(20));
    const asked = await eventOf(id, 'permission.requested');
    for (let kills = within(3); kills > 0; kills -= 1) await killAfter(within(10));
    const answer = () =>
      api(server, 'POST', `/api/permissions/${encodeURIComponent(asked.requestId)}`, {
        behavior: 'allow',
        answers: { answer: words },
        commandId: `answer-${id}`,
      }).catch(() => undefined);
    const first = answer();
    if (within(2) === 0) await killAfter(within(8));
    // A client that got no reply sends the same again.
    const status = (await first)?.status ?? (await answer())?.status;
    expect(status).toBe(200);
    if (within(3) === 0) await killAfter(within(8));
    expect(await eventOf(id, 'turn.completed')).toMatchObject({ result: `The tool said: ${words}`, isError: false });
    const events = await allEvents(server, id);
    expect(events.filter(({ type }) => type === 'permission.requested')).toHaveLength(1);
    expect(events.filter(({ type }) => type === 'tool.answered')).toMatchObject([{ outcome: 'answered', text: words }]);
    const call = events.find((event): event is EventOf<'tool.asked'> => event.type === 'tool.asked');
    const sent = readFileSync(join(server.data, 'sessions', id, call?.run ?? '', 'in.ndjson'), 'utf8');
    expect(sent.split('\n').filter((line) => line.includes(`"request":"${call?.agentRequestId}"`))).toHaveLength(1);
    await api(server, 'POST', `/api/sessions/${id}/stop`, {});
  });
}

const create = (prompt: string) => api<Session>(server, 'POST', '/api/sessions', { agent: 'demo', cwd: server.project, prompt });

/** The seed decides when, counted in requests to the server. */
async function killAfter(requests: number): Promise<void> {
  for (let sent = 0; sent < requests; sent += 1) await api(server, 'GET', '/healthz');
  await server.kill9();
  await server.restart();
}

async function eventOf<T extends EventType>(id: string, type: T): Promise<EventOf<T>> {
  const isMatch = (event: Event): event is EventOf<T> => event.type === type;
  return waitFor(`${type} in ${id}`, async () => (await allEvents(server, id)).find(isMatch));
}
