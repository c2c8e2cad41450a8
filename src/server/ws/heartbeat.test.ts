import { once } from 'node:events';
import type { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { connect } from '../../../test/support/server/test-client.ts';
import { startTestServer } from '../../../test/support/server/test-server.ts';

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

/** The header of a masked text frame of 4096 bytes; the payload follows one byte at a time. */
const LONG_FRAME = Buffer.from([0x81, 0xfe, 0x10, 0x00, 0, 0, 0, 0]);

test('a client that is still sending a long message is slow, not dead, and gets a pong', async () => {
  const server = await startTestServer({}, { heartbeatMs: 250 });
  const slow = await connect(`ws://127.0.0.1:${server.running.port}/ws?token=${server.token.owner}`, { autoPong: false });
  const line = (slow.socket as unknown as { readonly _socket: Socket })._socket;
  line.write(LONG_FRAME);
  // One byte per beat and never a pong, which waits behind the message.
  for (let beats = 0; beats < 6; beats += 1) {
    await Promise.race([once(slow.socket, 'ping'), slow.closed()]);
    line.write('x');
  }
  expect(slow.socket.readyState).toBe(slow.socket.OPEN);
  await slow.next('pong');
  // Without another byte the client is dropped.
  expect((await slow.closed()).code).toBe(1006);
  await server.close();
});
