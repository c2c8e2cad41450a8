import type { Redis } from 'ioredis';
import type { Problems } from '../problems/problems.ts';
import { type BeatAnswer, type Carrier, type CarrierListener, INBOX_FRAMES, type Life, LOG_ENTRIES, type Member, type SealedChange } from './carrier.ts';
import { connectRedis } from './redis-connection.ts';
import { openRedisReader, type RedisReader } from './redis-reader.ts';
import { CarrierDown } from './requests-out.ts';

/** What a machine leaves in Redis goes away by itself: its inbox an hour after its last beat, the rest after two weeks. */
const INBOX_SECONDS = 3600;
const LEFT_SECONDS = 14 * 24 * 3600;

/** One step, so that of two copies of one machine exactly one gets in. Returns what was there: epoch, instance and number of the last beat. */
const BEAT = `
local known = redis.call('HMGET', KEYS[2], 'epoch', 'instance', 'number')
local epoch = tonumber(known[1] or '0')
if epoch > tonumber(ARGV[2]) or (epoch == tonumber(ARGV[2]) and known[2] and known[2] ~= ARGV[3]) then return {'superseded', tostring(epoch)} end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('HSET', KEYS[2], 'epoch', ARGV[2], 'instance', ARGV[3], 'number', ARGV[4], 'facts', ARGV[5])
redis.call('HDEL', KEYS[2], 'left')
redis.call('EXPIRE', KEYS[2], ARGV[6])
redis.call('EXPIRE', KEYS[3], ARGV[6])
redis.call('EXPIRE', KEYS[4], ARGV[7])
redis.call('ZADD', KEYS[1], now, ARGV[1])
redis.call('ZREMRANGEBYSCORE', KEYS[1], 0, now - ARGV[6] * 1000)
return {'ok', tostring(now), known[2] or '', known[3] or ''}
`;

interface WithBeat extends Redis {
  sbBeat(...given: readonly (string | Buffer)[]): Promise<readonly string[]>;
}

export interface RedisKeys {
  readonly nodes: string;
  readonly log: string;
  node(id: string): string;
  inbox(life: Life): string;
  summaries(id: string): string;
}

export const redisKeys = (cluster: string): RedisKeys => ({
  nodes: `sb:${cluster}:nodes`,
  log: `sb:${cluster}:log`,
  node: (id) => `sb:${cluster}:node:${id}`,
  inbox: ({ node, instance }) => `sb:${cluster}:in:${node}:${instance}`,
  summaries: (id) => `sb:${cluster}:sum:${id}`,
});

/** Carries over Redis 7 or Valkey. */
export async function openRedisCarrier({ url, cluster, problems }: RedisCarrierOptions): Promise<Carrier> {
  const connections = await connectRedis(url, problems);
  const { writer } = connections;
  writer.defineCommand('sbBeat', { numberOfKeys: 4, lua: BEAT });
  const keys = redisKeys(cluster);
  let reader: RedisReader | undefined;
  const ifUp = async <T>(work: () => Promise<T>): Promise<T> => {
    if (!connections.isUp()) throw new CarrierDown();
    return work();
  };
  return {
    epochOf: (node) => ifUp(async () => Number((await writer.hget(keys.node(node), 'epoch')) ?? 0)),
    beat: (life, facts, number) => ifUp(() => beat(writer as WithBeat, keys, life, Buffer.from(facts), number, reader)),
    receive: async (life: Life, listener: CarrierListener) => {
      reader?.close();
      reader = await openRedisReader(connections, { inbox: keys.inbox(life), log: keys.log }, listener, problems);
    },
    send: (to, frame) => ifUp(async () => void (await writer.xadd(keys.inbox(to), 'MAXLEN', '~', INBOX_FRAMES, '*', 'f', Buffer.from(frame)))),
    publish: (node, changes, entry) => ifUp(() => publish(writer, keys, node, changes, entry)),
    republish: (node, summaries, entry) =>
      ifUp(async () => {
        await writer.del(keys.summaries(node));
        await publish(writer, keys, node, summaries, entry);
      }),
    summaries: (node) => ifUp(async () => Object.values(await writer.hgetallBuffer(keys.summaries(node)))),
    leave: async (life) => {
      reader?.close();
      reader = undefined;
      await ifUp(() => leave(writer, keys, life));
    },
    forget: (node) =>
      ifUp(async () => {
        await writer.zrem(keys.nodes, node);
        await writer.del(keys.node(node));
        await writer.del(keys.summaries(node));
      }),
    close: async () => {
      reader?.close();
      connections.close();
    },
  };
}

export interface RedisCarrierOptions {
  readonly url: string;
  readonly cluster: string;
  readonly problems: Problems;
}

async function beat(writer: WithBeat, keys: RedisKeys, life: Life, facts: Buffer, number: number, reader: RedisReader | undefined): Promise<BeatAnswer> {
  const { node, epoch, instance } = life;
  const names = [keys.nodes, keys.node(node), keys.summaries(node), keys.inbox(life)];
  const args = [node, String(epoch), instance, String(number), facts, String(LEFT_SECONDS), String(INBOX_SECONDS)];
  const [outcome, value = '', lastInstance, lastNumber] = await writer.sbBeat(...names, ...args);
  if (outcome !== 'ok') return { outcome: 'superseded', epoch: Number(value) };
  await reader?.trim();
  const isNew = lastInstance !== instance || lastNumber !== String(number - 1);
  return { outcome: 'ok', isNew, members: await membersOf(writer, keys, Number(value)) };
}

async function membersOf(writer: Redis, keys: RedisKeys, now: number): Promise<readonly Member[]> {
  const listed = await writer.zrange(keys.nodes, '0', '-1', 'WITHSCORES');
  const ids = listed.filter((_, at) => at % 2 === 0);
  const replies = await Promise.all(ids.map((id) => writer.hgetallBuffer(keys.node(id))));
  return ids.flatMap((node, at): Member[] => {
    const { epoch, instance, facts, left } = replies[at] ?? {};
    if (epoch === undefined || instance === undefined || facts === undefined) return [];
    const silentMs = Math.max(0, now - Number(listed[2 * at + 1]));
    return [{ node, epoch: Number(epoch.toString()), instance: instance.toString(), facts, silentMs, hasLeft: left !== undefined }];
  });
}

async function publish(writer: Redis, keys: RedisKeys, node: string, changes: readonly SealedChange[], entry: Uint8Array): Promise<void> {
  const present = changes.flatMap(([name, summary]) => (summary === null ? [] : [[name, Buffer.from(summary)] as const]));
  const removed = changes.flatMap(([name, summary]) => (summary === null ? [name] : []));
  if (present.length > 0) await writer.hset(keys.summaries(node), Object.fromEntries(present));
  if (removed.length > 0) await writer.hdel(keys.summaries(node), ...removed);
  await writer.xadd(keys.log, 'MAXLEN', '~', LOG_ENTRIES, '*', 'f', Buffer.from(entry));
}

/** A machine that leaves on purpose is gone at once; its summaries stay for the others. */
async function leave(writer: Redis, keys: RedisKeys, life: Life): Promise<void> {
  const instance = await writer.hget(keys.node(life.node), 'instance');
  // A later life has taken over.
  if (instance !== life.instance) return;
  await writer.hset(keys.node(life.node), 'left', '1');
  await writer.del(keys.inbox(life));
}
