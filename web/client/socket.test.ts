import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { WebSocket as NodeWebSocket, WebSocketServer } from 'ws';
import { FRAME_REVISION } from '../../src/protocol/frame.ts';
import { memoryOutbox } from './outbox.ts';
import { type Client, openClient } from './socket.ts';

let server: WebSocketServer;
let client: Client;
afterEach(() => {
  client.close();
  server.close();
});

// Found in a test run: timers fire up to a millisecond before Date.now() says so, and then nobody tried again.
test('[R125] a timer that fires before the clock says so does not end the tries to reconnect', async () => {
  server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  await once(server, 'listening');
  let isSlow = false;
  const lateClock = () => (isSlow ? Date.now() - 30 : Date.now());
  client = await openClient({
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`,
    outbox: memoryOutbox(),
    onFrame: () => undefined,
    onSettled: () => undefined,
    // From the wait on, the clock is behind the timer: the first tick comes too early.
    onLink: (link) => {
      isSlow = link.phase.name === 'waiting';
    },
    probe: async () => true,
    WebSocket: NodeWebSocket as unknown as typeof WebSocket,
    now: lateClock,
    random: () => 0,
  });
  const [first] = (await once(server, 'connection')) as [NodeWebSocket];
  first.send(JSON.stringify({ type: 'welcome', v: FRAME_REVISION, serverId: 's' }));
  await once(first, 'message');
  first.terminate();
  const [second] = (await once(server, 'connection')) as [NodeWebSocket];
  expect(second.readyState).toBe(NodeWebSocket.OPEN);
});
