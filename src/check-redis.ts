import type { Finding } from './cli/shared/machine-findings.ts';
import { connectRedis } from './cluster/redis-connection.ts';
import type { Config } from './config.ts';
import { Problems } from './problems/problems.ts';

/** What doctor says about Redis. Neither the password nor the user is ever printed. */
export async function checkRedis({ redisUrl, cluster, clusterKey }: Config): Promise<readonly Finding[]> {
  if (redisUrl === undefined) return [];
  const problems = new Problems({ info: () => undefined, error: () => undefined });
  const redis = await connectRedis(redisUrl, problems);
  try {
    await untilUp(redis.isUp);
    if (!redis.isUp()) return [{ level: 'bad', what: 'Redis', detail: `${addressOf(redisUrl)} can't be reached: ${reasonIn(problems)}` }];
    const info = await redis.writer.info();
    return [
      versionFinding(info, redisUrl, cluster),
      await latencyFinding(() => redis.writer.ping()),
      evictionFinding(info),
      persistenceFinding(info),
      keyFinding(clusterKey),
    ];
  } catch (error) {
    return [{ level: 'bad', what: 'Redis', detail: `${addressOf(redisUrl)}: ${error instanceof Error ? error.message : error}` }];
  } finally {
    redis.close();
  }
}

const LIMIT_MS = 6000;
const STEP_MS = 50;

function untilUp(isUp: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    const startedAt = performance.now();
    const timer = setInterval(() => {
      if (!isUp() && performance.now() - startedAt < LIMIT_MS) return;
      clearInterval(timer);
      resolve();
    }, STEP_MS);
  });
}

/** Host and port, without the user and the password. */
function addressOf(url: string): string {
  if (url.startsWith('unix:') || !URL.canParse(url)) return url.replace(/^unix:(\/\/)?([^@/]*@)?/, '').replace(/\?.*$/, '');
  const { protocol, host } = new URL(url);
  return `${protocol}//${host}`;
}

const reasonIn = (problems: Problems): string => problems.current()[0]?.text.replace(/\. Signalbox can't .*$/, '') ?? 'no answer';

const field = (info: string, name: string): string | undefined => new RegExp(`^${name}:(.*)$`, 'm').exec(info)?.[1]?.trim();

const MAJOR_AT_LEAST = 7;

function versionFinding(info: string, url: string, cluster: string): Finding {
  const valkey = field(info, 'valkey_version');
  const version = valkey ?? field(info, 'redis_version') ?? '?';
  const isNew = Number(version.split('.')[0]) >= MAJOR_AT_LEAST;
  const detail = `${valkey === undefined ? 'Redis' : 'Valkey'} ${version} at ${addressOf(url)}, cluster ${cluster}`;
  return isNew ? { level: 'good', what: 'Redis', detail } : { level: 'bad', what: 'Redis', detail: `${detail}: version ${MAJOR_AT_LEAST} or newer is needed` };
}

const PINGS = 5;
const SLOW_MS = 250;

async function latencyFinding(ping: () => Promise<unknown>): Promise<Finding> {
  const times: number[] = [];
  for (let n = 0; n < PINGS; n++) {
    const startedAt = performance.now();
    await ping();
    times.push(performance.now() - startedAt);
  }
  const median = times.sort((a, b) => a - b)[Math.floor(PINGS / 2)] ?? 0;
  const detail = `${median.toFixed(1)} ms for a round trip`;
  return median > SLOW_MS
    ? { level: 'note', what: 'Redis latency', detail: `${detail}: views of other machines will lag` }
    : { level: 'good', what: 'Redis latency', detail };
}

function evictionFinding(info: string): Finding {
  const policy = field(info, 'maxmemory_policy') ?? 'unknown';
  const isSafe = policy === 'noeviction';
  const detail = isSafe ? policy : `${policy}: entries can vanish before they are read; set maxmemory-policy noeviction`;
  return { level: isSafe ? 'good' : 'note', what: 'Redis eviction', detail };
}

/** Nothing in Redis needs to be kept. */
function persistenceFinding(info: string): Finding {
  const isKept = field(info, 'aof_enabled') === '1';
  return { level: 'good', what: 'Redis persistence', detail: isKept ? 'append-only file (not needed)' : 'no append-only file (none is needed)' };
}

const keyFinding = (key: string | undefined): Finding => ({
  level: 'good',
  what: 'cluster key',
  detail: key === undefined ? 'none set: servers of this user on this machine share a key file' : 'set',
});
