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
const CALM_ROUNDS = 4;
const SWEEP_LIMIT_MS = 90_000;

/** How late the deltas of a live session are while all records are read for the first time, beside the same stream when nothing is. */
export async function measureLive(records: string, home: string): Promise<Row> {
  const root = join(home, '.claude/projects');
  mkdirSync(root, { recursive: true });
  const server = await startServer({ from: 'dist', env: { ...ourEnv(), HOME: home, SIGNALBOX_ROOTS: tmpdir() } });
  await createSession(server, SESSION);
  const listener = await openListener(addressOf(server, [SESSION]));
  try {
    await hear(listener);
    const idle = await calmly(listener);
    for (const name of readdirSync(records)) renameSync(join(records, name), join(root, name));
    await waitFor('the records to be met', async () => (await phaseOf(server)) !== 'ready', SWEEP_LIMIT_MS);
    const busy: number[] = [];
    while ((await phaseOf(server)) !== 'ready') busy.push(...(await hear(listener)));
    idle.push(...(await calmly(listener)));
    return rowOf(busy, idle);
  } finally {
    listener.close();
    await server.close();
  }
}

async function calmly(listener: Listener): Promise<number[]> {
  const heard: number[] = [];
  for (let round = 0; round < CALM_ROUNDS; round += 1) heard.push(...(await hear(listener)));
  return heard;
}

async function hear(listener: Listener): Promise<readonly number[]> {
  const heard = await listener.hear({ sessions: [SESSION], text: `pace ${ROUND} ${HZ}`, deltas: ROUND, wantsLatencies: true });
  return heard.latenciesUs.flat();
}

const phaseOf = async (server: TestServer): Promise<string> => (await api<{ phase: string }>(server, 'GET', '/api/index')).body.phase;

/** Half of all as the relay beside its floor; and hardly one that an eye could see: a screen is redrawn every 16.7 ms. */
const MOST = { p50: 1.5, p99Ms: 16.7 };

function rowOf(busy: readonly number[], idle: readonly number[]): Row {
  const formatted = (delays: readonly number[]): string => `${ms(quantile(delays, 0.5) / 1000)} / ${ms(quantile(delays, 0.99) / 1000)}`;
  const ratio = (share: number): number => quantile(busy, share) / quantile(idle, share);
  return {
    what: `a delta of a live session while all is read, p50 / p99 of ${busy.length}`,
    ours: `${formatted(busy)} (${ratio(0.5).toFixed(2)}× / ${ratio(0.99).toFixed(2)}×)`,
    floor: `nothing is read: ${formatted(idle)}`,
    asked: `≤ ${MOST.p50}× / ${MOST.p99Ms} ms`,
    holds: ratio(0.5) <= MOST.p50 && quantile(busy, 0.99) / 1000 <= MOST.p99Ms,
  };
}
