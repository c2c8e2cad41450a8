import { expect, test } from 'vitest';
import { startTestServer } from '../testing/test-server.ts';

test('[R107] a client that answers pings stays, one that does not is dropped', async () => {
  const server = await startTestServer({}, { heartbeatMs: 100 });
  const alive = await server.connect();
  const dead = await server.connect();
  const pings: number[] = [];
  alive.socket.on('ping', () => pings.push(1));
  dead.pause();
  await expect.poll(async () => (await (await server.fetch('/metrics')).text()).includes('signalbox_ws_clients 1\n'), { timeout: 10_000 }).toBe(true);
  expect(pings.length).toBeGreaterThan(0);
  alive.send({ type: 'ping' });
  await alive.next('pong');
  await server.close();
});
