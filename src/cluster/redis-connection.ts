import type { Redis } from 'ioredis';
import type { Problems } from '../problems/problems.ts';

type Library = typeof import('./redis-library.ts');

/** In the build, the library is a file next to the bundle. */
const load = (): Promise<Library> =>
  import(new URL(import.meta.url.endsWith('.ts') ? './redis-library.ts' : './redis-library.js', import.meta.url).href) as Promise<Library>;

/** How long a blocking read waits in Redis. */
export const BLOCK_MS = 5000;
const COMMAND_MS = 2000;

/** Two connections: a blocking read holds up everything behind it. */
export interface RedisConnections {
  readonly writer: Redis;
  readonly reader: Redis;
  /** Whether commands are accepted right now. */
  isUp(): boolean;
  close(): void;
}

/**
 * Each option cures something that was seen: docs/decisions/0041. Without `commandTimeout`, a command open when Redis dies never settles; with the offline queue or
 * resending, old commands would run later, when nobody expects them anymore.
 */
export async function connectRedis(url: string, problems: Problems): Promise<RedisConnections> {
  const { Redis: Client } = await load();
  const options = {
    maxRetriesPerRequest: null,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    connectTimeout: 5000,
    retryStrategy: (tries: number) => Math.min(200 * 2 ** Math.min(tries, 4), 3000),
  };
  const target = url.replace(/^unix:(\/\/)?/, '');
  const writer = new Client(target, { ...options, commandTimeout: COMMAND_MS, socketTimeout: 10_000 });
  const reader = new Client(target, { ...options, commandTimeout: BLOCK_MS + COMMAND_MS });
  for (const client of [writer, reader]) {
    client.on('error', (error) => problems.failed(REACH_REDIS, withoutSecrets(error)));
    client.on('ready', () => problems.worked(REACH_REDIS));
  }
  return {
    writer,
    reader,
    isUp: () => writer.status === 'ready',
    close: () => {
      problems.worked(REACH_REDIS);
      writer.disconnect();
      reader.disconnect();
    },
  };
}

export const REACH_REDIS = 'reach other machines through Redis';

/** Errors of the library can carry the command with its arguments, among them the password. */
function withoutSecrets(error: unknown): Error {
  const { message = 'unknown', code } = Object(error) as { readonly message?: string; readonly code?: string };
  const plain = new Error(/^WRONGPASS|^NOAUTH/.test(message) ? 'Redis refuses the user or password of SIGNALBOX_REDIS_URL' : message);
  plain.stack = '';
  return code === undefined ? plain : Object.assign(plain, { code });
}
