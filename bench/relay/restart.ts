import { spawnSync } from 'node:child_process';
import { api } from '../../test/support/client.ts';
import { startServer, type TestServer } from '../../test/support/real-server.ts';
import { median, pause, round } from './numbers.ts';
import { createSession, ourEnv } from './relays.ts';
import type { Row } from './table.ts';

const KNOWN = 1_000;
const LIVE = 20;
/** Messages in each known session, and how many of these sessions are created at a time. */
const MESSAGES = 20;
const AT_A_TIME = 20;
const LIMIT_MS = 30_000;

/** Kills the server while agents work, starts it again and measures the time until it is ready. */
export async function measureRestart(rounds: number): Promise<readonly Row[]> {
  const server = await startServer({ from: 'dist', env: ourEnv() });
  await makeHistory(server);
  for (let index = 0; index < LIVE; index += 1) await createSession(server, `live-${index}`, 'pace 100000 20');
  const bare = await startServer({ from: 'dist', env: ourEnv() });
  const [ours, empty, node]: [number[], number[], number[]] = [[], [], []];
  for (let count = 0; count < rounds; count += 1) {
    node.push(nodeStartMs());
    empty.push(await restartMs(bare));
    ours.push(await restartMs(server));
  }
  const live = await liveOf(server);
  await Promise.all([server.close(), bare.close()]);
  const beyond = median(ours) - median(node);
  return [
    {
      what: `start to ready, ${KNOWN.toLocaleString('en')} known sessions, ${live} live agents`,
      ours: `${round(beyond, 0)} ms beyond Node's ${round(median(node), 0)}`,
      floor: '',
      target: '≤ 1000 ms',
      holds: beyond <= 1000 && live === LIVE,
    },
    { what: 'start to ready, no sessions', ours: `${round(median(empty) - median(node), 0)} ms beyond Node's`, floor: '', target: '' },
  ];
}

async function makeHistory(server: TestServer): Promise<void> {
  for (let from = 0; from < KNOWN; from += AT_A_TIME) {
    await Promise.all(Array.from({ length: AT_A_TIME }, (_, index) => makePastSession(server, `past-${from + index}`)));
  }
}

async function makePastSession(server: TestServer, id: string): Promise<void> {
  await createSession(server, id, `say ${MESSAGES}`);
  await untilStatus(server, id, 'idle');
  await api(server, 'POST', `/api/sessions/${id}/stop`);
  await untilStatus(server, id, 'ended');
}

async function untilStatus(server: TestServer, id: string, status: string): Promise<void> {
  const deadline = performance.now() + LIMIT_MS;
  while (performance.now() < deadline) {
    const { body } = await api<{ status: string; lastSeq: number }>(server, 'GET', `/api/sessions/${id}`);
    if (body.status === status && body.lastSeq > MESSAGES) return;
    await pause(20);
  }
  throw new Error(`${id} was not ${status} within ${LIMIT_MS} ms`);
}

async function liveOf(server: TestServer): Promise<number> {
  const { body } = await api<{ sessions: readonly { status: string; control: string }[] }>(server, 'GET', '/api/sessions?limit=1000&status=busy');
  return body.sessions.filter((session) => session.control === 'here').length;
}

async function restartMs(server: TestServer): Promise<number> {
  await server.kill9();
  const at = performance.now();
  await server.restart();
  return performance.now() - at;
}

function nodeStartMs(): number {
  const at = performance.now();
  spawnSync(process.execPath, ['-e', '0']);
  return performance.now() - at;
}
