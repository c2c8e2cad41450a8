import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { waitFor } from '../wait-for.ts';

/** A real redis-server on a free loopback port, for one test file. */
export interface RedisServer {
  readonly url: string;
  readonly port: number;
  /** A client of its own, for what a test does to Redis. */
  readonly client: Redis;
  pause(): void;
  resume(): void;
  kill9(): Promise<void>;
  /** Starts it again, with what is in its folder: nothing, or a dump that was saved there. */
  start(): Promise<void>;
  /** Writes a dump, and keeps a copy of it aside. */
  saveDump(): Promise<void>;
  /** Puts the copy back, as when an old backup is restored. The server must be down. */
  restoreDump(): void;
  dumpFile(): string;
  stop(): Promise<void>;
}

export async function startRedis(...settings: readonly string[]): Promise<RedisServer> {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-redis-'));
  const port = await freePort();
  const client = new Redis({ port, maxRetriesPerRequest: null, retryStrategy: () => 100 });
  client.on('error', () => undefined);
  let child: ChildProcess | undefined;
  const start = async (): Promise<void> => {
    child = spawn('redis-server', ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', folder, ...settings], { stdio: 'ignore' });
    const isOurs = child;
    await waitFor('redis-server to answer', async () => {
      if (isOurs.exitCode !== null) throw new Error(`redis-server ended with ${isOurs.exitCode}`);
      return client.status === 'ready' && (await client.ping()) === 'PONG';
    });
  };
  const end = (signal: NodeJS.Signals): Promise<void> =>
    new Promise((resolve) => {
      if (child === undefined || child.exitCode !== null || child.signalCode !== null) return resolve();
      child.once('exit', () => resolve());
      child.kill('SIGCONT');
      child.kill(signal);
    });
  await start();
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    client,
    pause: () => void child?.kill('SIGSTOP'),
    resume: () => void child?.kill('SIGCONT'),
    kill9: () => end('SIGKILL'),
    start,
    saveDump: async () => {
      await client.save();
      cpSync(join(folder, 'dump.rdb'), join(folder, 'old.rdb'));
    },
    restoreDump: () => cpSync(join(folder, 'old.rdb'), join(folder, 'dump.rdb')),
    dumpFile: () => join(folder, 'dump.rdb'),
    stop: async () => {
      client.disconnect();
      await end('SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject).listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
