import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { describeCarrier } from '../../test/support/cluster/carrier-contract.ts';
import { type RedisServer, startRedis } from '../../test/support/cluster/redis-server.ts';
import { Problems } from '../problems/problems.ts';
import type { CarrierListener } from './carrier.ts';
import { openRedisCarrier } from './redis-carrier.ts';

const problems = new Problems({ info: () => undefined, error: () => undefined });
let redis: RedisServer;
let cluster = 0;
beforeAll(async () => {
  redis = await startRedis();
});
afterAll(() => redis.stop());
beforeEach(() => {
  cluster += 1;
});

const open = () => openRedisCarrier({ url: redis.url, cluster: `c${cluster}`, problems });
/** Once it is connected. */
const openReady = async () => {
  const carrier = await open();
  await expect.poll(() => carrier.epochOf('x').catch(() => -1)).toBe(0);
  return carrier;
};

describe('over Redis', () => {
  describeCarrier(openReady, async () => void (await redis.client.flushall()));
});

const life = (node: string) => ({ node, epoch: 1, instance: `${node}1` });
const listener = (frames: string[]): CarrierListener => ({
  frame: (bytes) => void frames.push(Buffer.from(bytes).toString()),
  logged: () => undefined,
  logLost: () => undefined,
});

test('[R696] a directory that was restored from an older copy is noticed with the next beat', async () => {
  const carrier = await openReady();
  await carrier.beat(life('a'), Buffer.from(''), 1);
  await redis.saveDump();
  await carrier.beat(life('a'), Buffer.from(''), 2);
  await redis.kill9();
  redis.restoreDump();
  await redis.start();
  let beats = 2;
  const answer = await expect
    .poll(async () => carrier.beat(life('a'), Buffer.from(''), ++beats).catch(() => undefined))
    .toBeDefined()
    .then(() => carrier.beat(life('a'), Buffer.from(''), beats + 5));
  expect(answer).toMatchObject({ outcome: 'ok', isNew: true });
  await carrier.close();
});

test('[R695] with Redis stopped, what is sent is refused within seconds, and frames arrive again afterwards', async () => {
  const [a, b] = [await openReady(), await openReady()];
  const frames: string[] = [];
  await b.receive(life('b'), listener(frames));
  redis.pause();
  const startedAt = performance.now();
  await expect(a.send(life('b'), Buffer.from('into the void'))).rejects.toThrow();
  const tookMs = performance.now() - startedAt;
  redis.resume();
  await expect
    .poll(() =>
      a.send(life('b'), Buffer.from('again')).then(
        () => true,
        () => false,
      ),
    )
    .toBe(true);
  await expect.poll(() => frames.includes('again')).toBe(true);
  // The command's own limit is two seconds; without one it would wait for ever.
  expect(tookMs).toBeLessThan(30_000);
  await Promise.all([a.close(), b.close()]);
});

test('a wrong password is reported without showing it', async () => {
  const said: unknown[] = [];
  const telling = new Problems({ info: () => undefined, error: (facts, message) => void said.push(facts, message) });
  await redis.client.config('SET', 'requirepass', 'right-secret');
  const carrier = await openRedisCarrier({ url: `redis://:wrong-secret@127.0.0.1:${redis.port}`, cluster: 'c', problems: telling });
  await expect
    .poll(() =>
      telling
        .current()
        .map(({ text }) => text)
        .join(),
    )
    .toContain('Redis refuses the user or password');
  await carrier.close();
  await redis.client.config('SET', 'requirepass', '');
  expect(JSON.stringify([said, telling.current()])).not.toContain('secret');
});
