import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { MachineList } from '../../../src/protocol/api/machines.ts';
import type { Session } from '../../../src/protocol/session.ts';
import { api, connectClient, type TestClient } from '../client.ts';
import { type ServerOptions, startServer, type TestServer } from '../real-server.ts';
import { waitFor } from '../wait-for.ts';
import { type RedisServer, startRedis } from './redis-server.ts';

/** A made-up key. */
export const CLUSTER_KEY = 'c1'.repeat(32);

export interface Machines {
  readonly redis: RedisServer;
  readonly servers: readonly TestServer[];
  readonly env: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

/** Real servers on one Redis, once they see each other. `more`: further environment of each. */
export async function startMachines(...more: readonly Readonly<Record<string, string>>[]): Promise<Machines> {
  const redis = await startRedis();
  const env = { SIGNALBOX_REDIS_URL: redis.url, SIGNALBOX_CLUSTER_KEY: CLUSTER_KEY };
  const servers = await Promise.all(more.map((each) => startServer({ env: { ...env, ...each } })));
  await allSeeAll(servers);
  return {
    redis,
    servers,
    env,
    close: async () => {
      await Promise.all(servers.map((server) => server.close()));
      await redis.stop();
    },
  };
}

export const optionsOf = (machines: Machines, more: Readonly<Record<string, string>> = {}): ServerOptions => ({ env: { ...machines.env, ...more } });

export const machinesOf = async (server: TestServer): Promise<MachineList> => (await api<MachineList>(server, 'GET', '/api/nodes')).body;

export const idOf = async (server: TestServer): Promise<string> =>
  (await machinesOf(server)).nodes.find(({ state }) => state === 'here')?.id ?? expect.fail('no own machine');

export async function allSeeAll(servers: readonly TestServer[]): Promise<void> {
  for (const server of servers) await waitFor('all machines to see each other', async () => reachable(await machinesOf(server)) === servers.length - 1);
}

const reachable = ({ nodes }: MachineList): number => nodes.filter(({ state }) => state === 'reachable').length;

export async function createSession(at: TestServer, body: object): Promise<string> {
  const id = `s-${randomUUID()}`;
  const made = await api<Session>(at, 'POST', '/api/sessions', { id, agent: 'demo', cwd: at.project, ...body });
  expect(made).toMatchObject({ status: 201 });
  return id;
}

/** A client that watches one session, and has seen these events. */
export async function watch(at: TestServer, sessionId: string): Promise<TestClient> {
  const client = await connectClient(at);
  client.send({ type: 'subscribe', sessionId: sessionId as never });
  return client;
}

export const turnsIn = (client: TestClient, id: string): number => client.events(id).filter(({ type }) => type === 'turn.completed').length;

/** The events that a client has are those of the journal, in order, each once. */
export async function expectWhole(client: TestClient, owner: TestServer, id: string): Promise<void> {
  const { body } = await api<{ events: { seq: number }[] }>(owner, 'GET', `/api/sessions/${id}/events?after=0&limit=1000`);
  await expect.poll(() => client.events(id).at(-1)?.seq).toBe(body.events.at(-1)?.seq);
  const seqs = client.events(id).map(({ seq }) => seq);
  expect([...new Set(seqs)]).toEqual(body.events.map(({ seq }) => seq));
  expect(seqs).toEqual(seqs.toSorted((a, b) => a - b));
}
