import { afterEach, expect, test } from 'vitest';
import { Problems } from '../problems/problems.ts';
import type { MachineFacts } from '../protocol/api/machines.ts';
import { Cluster } from './cluster.ts';
import { LocalExchange, openLocalCarrier } from './local-carrier.ts';
import { createSeal, newClusterKey, readClusterKey } from './seal.ts';
import type { PublishedChange, SummarySink, Version } from './summaries.ts';

const problems = new Problems({ info: () => undefined, error: () => undefined });
const facts = (hostname: string): MachineFacts => ({
  hostname,
  platform: 'linux',
  version: '1',
  live: 0,
  maxLive: 12,
  clusterRole: 'driver',
  startedAt: '2026-11-19T00:00:00.000Z',
});

/** What another machine knows, by session. */
class Known implements SummarySink {
  readonly sessions = new Map<string, unknown>();
  changed(_node: string, changes: readonly PublishedChange[]): void {
    for (const { id, summary } of changes) summary === undefined ? this.sessions.delete(id) : this.sessions.set(id, summary);
  }
  all(node: string, _upTo: Version, changes: readonly PublishedChange[]): void {
    this.sessions.clear();
    this.changed(node, changes);
  }
}

const open: Cluster[] = [];
afterEach(() => Promise.all(open.splice(0).map((cluster) => cluster.close())));

function machine(exchange: LocalExchange, id: string, own: ReadonlyMap<string, unknown> = new Map(), options: { epoch?: number; key?: Buffer } = {}) {
  const known = new Known();
  const epochs: number[] = [];
  const cluster = new Cluster({
    carrier: openLocalCarrier(exchange),
    seal: createSeal(options.key ?? Buffer.alloc(32, 1), 'test'),
    node: { id, epoch: options.epoch ?? 1 },
    saveEpoch: (epoch) => void epochs.push(epoch),
    facts: () => facts(id),
    problems,
    answer: async () => ({ status: 200, headers: {}, body: Buffer.from(`from ${id}`) }),
    accept: () => ({ message: () => undefined, drained: () => undefined, closed: () => undefined }),
    sink: known,
    all: async () => own,
    changed: () => undefined,
    beatMs: 1_000_000,
  });
  open.push(cluster);
  return { cluster, known, epochs };
}

const WHO = { id: 'x', name: 'x', role: 'owner', from: 'page' } as const;
const ask = { method: 'GET', url: '/api/x', body: new Uint8Array(), who: WHO };

test('machines that beat see, ask and know each other', async () => {
  const exchange = new LocalExchange();
  const a = machine(exchange, 'a');
  const b = machine(exchange, 'b', new Map([['s1', { title: 'one' }]]));
  for (const each of [b, a]) await each.cluster.beat();
  expect(a.cluster.others().get('b')).toMatchObject({ state: 'reachable', facts: { hostname: 'b' } });
  expect((await a.cluster.fetch('b', ask)).body.toString()).toBe('from b');
  await expect.poll(() => [...a.known.sessions]).toEqual([['s1', { title: 'one' }]]);
  await b.cluster.publish(
    new Map([
      ['s2', { title: 'two' }],
      ['s1', null],
    ]),
  );
  await expect.poll(() => [...a.known.sessions]).toEqual([['s2', { title: 'two' }]]);
});

test('a machine that is silent for ten seconds is gone, one that stops leaves at once, whatever any clock says', async () => {
  let now = 1_000_000;
  const exchange = new LocalExchange(() => now);
  const [a, b, c] = [machine(exchange, 'a'), machine(exchange, 'b'), machine(exchange, 'c')];
  for (const each of [b, c, a]) await each.cluster.beat();
  now += 9_000;
  await a.cluster.beat();
  expect(a.cluster.lifeOf('b')).toBeDefined();
  await c.cluster.close();
  now += 2_000;
  await a.cluster.beat();
  expect([...a.cluster.others()].map(([id, { state }]) => [id, state])).toEqual([
    ['b', 'gone'],
    ['c', 'gone'],
  ]);
  await expect(a.cluster.fetch('b', ask)).rejects.toMatchObject({ outcome: 'not-sent' });
});

test('[R696] an emptied directory is filled again by the next beats, with summaries, without a restart', async () => {
  const exchange = new LocalExchange();
  const own = new Map<string, unknown>([['s1', 'one']]);
  const [a, b] = [machine(exchange, 'a'), machine(exchange, 'b', own)];
  for (const each of [b, a]) await each.cluster.beat();
  exchange.wipe();
  own.set('s2', 'two');
  for (const each of [b, a]) await each.cluster.beat();
  expect(a.cluster.lifeOf('b')).toBeDefined();
  await expect.poll(() => [...a.known.sessions.keys()].sort()).toEqual(['s1', 's2']);
});

test('[R694] a copy that joins later takes over, and the earlier one works alone', async () => {
  const exchange = new LocalExchange();
  const first = machine(exchange, 'a', new Map(), { epoch: 7 });
  await first.cluster.beat();
  const copy = machine(exchange, 'a', new Map(), { epoch: 7 });
  await copy.cluster.beat();
  await first.cluster.beat();
  expect([first.cluster.state, copy.cluster.state, first.epochs, copy.epochs]).toEqual(['superseded', 'joined', [8], [9]]);
  exchange.wipe();
  await first.cluster.beat();
  await copy.cluster.beat();
  expect([first.cluster.state, copy.cluster.state]).toEqual(['superseded', 'joined']);
});

test('a machine with another key is listed as such, and neither understands the other', async () => {
  const exchange = new LocalExchange();
  const [a, b] = [machine(exchange, 'a'), machine(exchange, 'b', new Map([['s1', 'secret']]), { key: Buffer.alloc(32, 2) })];
  for (const each of [b, a]) await each.cluster.beat();
  expect(a.cluster.others().get('b')?.state).toBe('other-key');
  expect(a.cluster.lifeOf('b')).toBe(undefined);
  expect([...a.known.sessions]).toEqual([]);
});

test('a key is 32 bytes in base64 or hexadecimal', () => {
  expect(readClusterKey(newClusterKey())?.length).toBe(32);
  expect(readClusterKey('ab'.repeat(32))).toEqual(Buffer.alloc(32, 0xab));
  expect(readClusterKey(Buffer.alloc(32, 255).toString('base64'))).toEqual(Buffer.alloc(32, 255));
  for (const bad of ['', 'short', 'ab'.repeat(31), 'z'.repeat(64)]) expect(readClusterKey(bad)).toBe(undefined);
});
