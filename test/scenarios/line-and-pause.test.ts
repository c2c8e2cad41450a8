import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Event } from '../../src/protocol/event.ts';
import type { WaitingPermission } from '../../src/protocol/http.ts';
import type { Session } from '../../src/protocol/session.ts';
import { api } from '../support/client.ts';
import { proofCount } from '../support/proof-length.ts';
import { startServer, type TestServer } from '../support/real-server.ts';
import { seeded } from '../support/seeded.ts';
import { waitFor } from '../support/wait-for.ts';

const SLOTS = 2;
const LINE = 4;

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ env: { SIGNALBOX_MAX_LIVE: String(SLOTS), DEMO_AGENT_PACE_MS: '0' } });
});
afterAll(() => server.close());

for (let seed = 1; seed <= proofCount(1); seed += 1) {
  describe(`seed ${seed}`, () => {
    test('[R362] a line that was built while the server was killed again and again is served in order, each message once', async () => {
      const random = seeded(seed);
      const working = await Promise.all(Array.from({ length: SLOTS }, () => create('write')));
      for (const id of working) await waitFor('its request', async () => (await session(id)).waiting === 1);
      const line: string[] = [];
      while (line.length < LINE) {
        const id = `line-${seed}-${line.length}-${Date.now()}`;
        const body = { id, agent: 'demo', cwd: server.project, prompt: `echo ${id}` };
        const accepted = await api(server, 'POST', '/api/sessions', body);
        expect(accepted.status).toBe(201);
        line.push(id);
        if (random() < 0.6) await crash();
      }
      await crash();
      expect(await Promise.all(line.map(async (id) => (await session(id)).placeInLine))).toEqual([1, 2, 3, 4]);
      expect((await session(line[0] ?? '')).lineLimit).toEqual({ of: 'agents', limit: SLOTS });
      for (const id of working) await allow(id);
      if (random() < 0.5) await crash();
      for (const id of line) await waitFor(`the turn of ${id}`, async () => (await eventsOf(id)).some((event) => event.type === 'turn.completed'));
      const events = await Promise.all(line.map(eventsOf));
      const startedAt = events.map((each) => each.find((event) => event.type === 'run.opened')?.at ?? '');
      expect(startedAt).toEqual([...startedAt].sort());
      for (const each of events) expect(each.filter((event) => event.type === 'user.message')).toHaveLength(1);
    });

    test('[R364] a queue that was paused by an interrupt stays paused over kills of the server, and continues in order when it is resumed', async () => {
      const random = seeded(seed + 1000);
      const id = await create('wait');
      await waitFor('its turn', async () => (await eventsOf(id)).some((event) => event.type === 'turn.started'));
      for (const text of ['echo one', 'echo two']) expect((await api(server, 'POST', `/api/sessions/${id}/input`, { text })).status).toBe(202);
      if (random() < 0.5) await crash();
      expect((await api(server, 'POST', `/api/sessions/${id}/interrupt`, {})).status).toBe(202);
      if (random() < 0.7) await crash();
      await waitFor('the end of the turn', async () => (await eventsOf(id)).some((event) => event.type === 'turn.completed'));
      await crash();
      const paused = await waitFor('an idle session', async () => [await session(id)].find(({ status }) => status === 'idle'));
      expect(paused).toMatchObject({
        queuePaused: true,
        queue: [
          { text: 'echo one', state: 'accepted' },
          { text: 'echo two', state: 'accepted' },
        ],
      });
      expect((await api(server, 'POST', `/api/sessions/${id}/queue/resume`, {})).status).toBe(202);
      if (random() < 0.5) await crash();
      const turns = await waitFor('both messages', async () =>
        [(await eventsOf(id)).filter((event) => event.type === 'user.message')].find((all) => all.length === 3),
      );
      expect(turns.map((event) => event.text)).toEqual(['wait', 'echo one', 'echo two']);
      expect((await session(id)).queuePaused).toBeUndefined();
    });
  });
}

async function crash(): Promise<void> {
  await server.kill9();
  await server.restart();
}

async function create(prompt: string): Promise<string> {
  return (await api<Session>(server, 'POST', '/api/sessions', { agent: 'demo', cwd: server.project, prompt })).body.id;
}

const session = async (id: string): Promise<Session> => (await api<Session>(server, 'GET', `/api/sessions/${id}`)).body;
const eventsOf = async (id: string): Promise<readonly Event[]> =>
  (await api<{ events: Event[] }>(server, 'GET', `/api/sessions/${id}/events?limit=1000`)).body.events;

/** An answer is refused until the new server has found the agent again. */
async function allow(id: string): Promise<void> {
  await waitFor('the answer to be accepted', async () => {
    const { body } = await api<{ permissions: WaitingPermission[] }>(server, 'GET', `/api/permissions?session=${id}`);
    const { status } = await api(server, 'POST', `/api/permissions/${encodeURIComponent(body.permissions[0]?.requestId ?? '')}`, { behavior: 'allow' });
    return status === 200;
  });
}
