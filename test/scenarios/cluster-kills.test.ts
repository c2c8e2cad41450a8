import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Event } from '../../src/protocol/event.ts';
import { api } from '../support/client.ts';
import { allSeeAll, createSession, type Machines, startMachines } from '../support/cluster/machines.ts';
import { proofCount } from '../support/proof-length.ts';
import type { TestServer } from '../support/real-server.ts';
import { seeded } from '../support/seeded.ts';
import { WAIT_LIMIT_MS } from '../support/wait-limit.ts';

/** With `npm run prove -- cluster`: 25 seeds, 1,000 commands. */
const SEEDS = proofCount(1);
const COMMANDS = 40;

let machines: Machines;
let a: TestServer;
let b: TestServer;
let c: TestServer;
beforeAll(async () => {
  machines = await startMachines({}, {}, {});
  [a, b, c] = machines.servers as [TestServer, TestServer, TestServer];
});
afterAll(() => machines?.close());

/** What happens to machines, Redis and the links through it while commands are sent. */
const FAULTS: Readonly<Record<string, () => Promise<void>>> = {
  'owner killed': () => b.restart(),
  'other owner killed': () => c.restart(),
  'asked machine killed': () => a.restart(),
  'Redis killed': async () => {
    await machines.redis.kill9();
    await machines.redis.start();
  },
  'Redis emptied': async () => void (await machines.redis.client.flushall()),
  'Redis stopped': async () => {
    machines.redis.pause();
    await pause(3000);
    machines.redis.resume();
  },
  'links cut': async () => void (await machines.redis.client.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes')),
};

/** Sends a command until it is acknowledged, as a page's outbox does. Answers other than "done", "away" and "unknown" are returned. */
async function sendUntilDone(sessionId: string, commandId: string, text: string): Promise<readonly string[]> {
  const wrong: string[] = [];
  const deadline = performance.now() + 4 * WAIT_LIMIT_MS;
  for (;;) {
    const answer = await api<{ error?: { code: string } }>(a, 'POST', `/api/sessions/${sessionId}/input`, { text, commandId }).catch(() => undefined);
    if (answer?.status === 202) return wrong;
    const isExpected = answer === undefined || (answer.status === 503 && answer.body.error?.code !== 'internal') || answer.status === 504;
    if (!isExpected) wrong.push(`${commandId}: ${answer.status} ${JSON.stringify(answer.body)}`);
    if (performance.now() > deadline) return [...wrong, `${commandId}: never acknowledged; last ${JSON.stringify(answer)}`];
    await pause(100);
  }
}

for (let seed = 1; seed <= SEEDS; seed++) {
  test(`[R697] commands to other machines count once while machines, Redis and links die (seed ${seed})`, async () => {
    await allSeeAll([a, b, c]);
    const dice = seeded(seed);
    const owners = [b, c] as const;
    // Each waits for a person, so that messages stay in its queue.
    const sessions = await Promise.all(owners.map(async (owner) => ({ owner, id: await createSession(owner, { prompt: 'write noted' }) })));
    for (const { id } of sessions) await expect.poll(async () => (await api(a, 'GET', `/api/sessions/${id}`)).status).toBe(200);
    const names = Object.keys(FAULTS);
    const faults = Array.from({ length: 4 }, () => names[Math.floor(dice() * names.length)] ?? '');
    const plan = Array.from({ length: COMMANDS }, (_, n) => ({
      session: sessions[dice() < 0.5 ? 0 : 1],
      commandId: `seed-${seed}-${n}`,
      waitMs: Math.floor(dice() * 300),
    }));
    const sending = plan.map(async ({ session, commandId, waitMs }, n) => {
      await pause(n * 100 + waitMs);
      return sendUntilDone(session?.id ?? '', commandId, `text of ${commandId}`);
    });
    const breaking = (async () => {
      for (const fault of faults) {
        await pause(Math.floor(dice() * 1500));
        await FAULTS[fault]?.();
      }
    })();
    await breaking;
    const wrong = (await Promise.all(sending)).flat();
    expect(wrong, `faults: ${faults.join(', ')}`).toEqual([]);
    for (const { owner, id } of sessions) {
      const { body } = await api<{ events: Event[] }>(owner, 'GET', `/api/sessions/${id}/events?after=0&limit=1000`);
      const accepted = body.events.flatMap((event) => (event.type === 'input.accepted' && event.text !== 'write noted' ? [event.commandId as string] : []));
      const wanted = plan.filter(({ session }) => session?.id === id).map(({ commandId }) => commandId);
      expect(accepted.toSorted(), `faults: ${faults.join(', ')}`).toEqual(wanted.toSorted());
    }
    await Promise.all(sessions.map(({ owner, id }) => api(owner, 'DELETE', `/api/sessions/${id}`)));
  });
}
