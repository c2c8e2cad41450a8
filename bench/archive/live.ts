import { mkdirSync, readdirSync, renameSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { api } from '../../test/support/client.ts';
import { startServer, type TestServer } from '../../test/support/real-server.ts';
import { waitFor } from '../../test/support/wait-for.ts';
import { type Listener, openListener } from '../relay/listener.ts';
import { quantile } from '../relay/numbers.ts';
import { addressOf, createSession, ourEnv } from '../relay/relays.ts';
import type { Row } from '../relay/table.ts';
import { ms } from './measure.ts';

const SESSION = 'bench-live';
const HZ = 50;
const ROUND = 2 * HZ;
const IDLE_ROUNDS = 4;
const SWEEP_LIMIT_MS = 90_000;

/** The latency of a live session's deltas while all records are read for the first time, compared with the same stream when nothing is read. */
export async function measureLive(records: string, home: string): Promise<Row> {
  const root = join(home, '.claude/projects');
  mkdirSync(root, { recursive: true });
  const server = await startServer({ from: 'dist', env: { ...ourEnv(), HOME: home, SIGNALBOX_ROOTS: tmpdir() } });
  await createSession(server, SESSION);
  const listener = await openListener(addressOf(server, [SESSION]));
  try {
    await receive(listener);
    const idle = await receiveIdle(listener);
    for (const name of readdirSync(records)) renameSync(join(records, name), join(root, name));
    await waitFor('the records to be found', async () => (await phaseOf(server)) !== 'ready', SWEEP_LIMIT_MS);
    const busy: number[] = [];
    while ((await phaseOf(server)) !== 'ready') busy.push(...(await receive(listener)));
    idle.push(...(await receiveIdle(listener)));
    return rowOf(busy, idle);
  } finally {
    listener.close();
    await server.close();
  }
}

async function receiveIdle(listener: Listener): Promise<number[]> {
  const latencies: number[] = [];
  for (let round = 0; round < IDLE_ROUNDS; round += 1) latencies.push(...(await receive(listener)));
  return latencies;
}

async function receive(listener: Listener): Promise<readonly number[]> {
  const received = await listener.receive({ sessions: [SESSION], text: `pace ${ROUND} ${HZ}`, deltas: ROUND, wantsLatencies: true });
  return received.latenciesUs.flat();
}

const phaseOf = async (server: TestServer): Promise<string> => (await api<{ phase: string }>(server, 'GET', '/api/index')).body.phase;

/** The median has the same limit as in the relay benchmark. At p99 the delay must stay invisible: a screen is redrawn every 16.7 ms. */
const LIMITS = { p50: 1.5, p99Ms: 16.7 };

function rowOf(busy: readonly number[], idle: readonly number[]): Row {
  const formatted = (delays: readonly number[]): string => `${ms(quantile(delays, 0.5) / 1000)} / ${ms(quantile(delays, 0.99) / 1000)}`;
  const ratio = (share: number): number => quantile(busy, share) / quantile(idle, share);
  return {
    what: `latency of a live delta while all records are read, p50 / p99 of ${busy.length}`,
    ours: `${formatted(busy)} (${ratio(0.5).toFixed(2)}× / ${ratio(0.99).toFixed(2)}×)`,
    floor: `when idle: ${formatted(idle)}`,
    target: `≤ ${LIMITS.p50}× / ${LIMITS.p99Ms} ms`,
    holds: ratio(0.5) <= LIMITS.p50 && quantile(busy, 0.99) / 1000 <= LIMITS.p99Ms,
  };
}
