import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test, vi } from 'vitest';
import { WebSocket as NodeWebSocket, WebSocketServer } from 'ws';
import { FRAME_REVISION } from '../../../src/protocol/frame.ts';
import { SessionId } from '../../../src/protocol/ids.ts';
import { memoryOutbox } from '../storage/outbox.ts';
import { SILENCE_LIMIT_MS } from './link.ts';
import { type Client, openClient } from './socket.ts';

let server: WebSocketServer | undefined;
let client: Client;
afterEach(() => {
  client.close();
  server?.close();
  vi.useRealTimers();
});

// Seen in a test run: a timer fires up to a millisecond early by Date.now(), and then nothing retried.
test('[R125] a timer that fires early does not end reconnecting', async () => {
  server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  await once(server, 'listening');
  let isSlow = false;
  const lateClock = () => (isSlow ? Date.now() - 30 : Date.now());
  client = await openClient({
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`,
    outbox: memoryOutbox(),
    onFrame: () => undefined,
    onSettled: () => undefined,
    onSignedIn: () => undefined,
    onUnattributed: async () => undefined,
    // While waiting, the clock is behind the timer, so the first tick comes too early.
    onLink: (link) => {
      isSlow = link.phase.name === 'waiting';
    },
    probe: async () => true,
    WebSocket: NodeWebSocket as unknown as typeof WebSocket,
    now: lateClock,
    random: () => 0,
  });
  const [first] = (await once(server, 'connection')) as [NodeWebSocket];
  first.send(JSON.stringify({ type: 'welcome', v: FRAME_REVISION, serverId: 's', you: { id: 'ada', name: 'Ada', role: 'owner' } }));
  await once(first, 'message');
  first.terminate();
  const [second] = (await once(server, 'connection')) as [NodeWebSocket];
  expect(second.readyState).toBe(NodeWebSocket.OPEN);
});

/** Records the state in which each frame was sent. */
class WatchedSocket extends NodeWebSocket {
  static readonly opened: WatchedSocket[] = [];
  static readonly sentIn: number[] = [];
  constructor(url: string) {
    super(url);
    WatchedSocket.opened.push(this);
  }
  override send(data: string): void {
    WatchedSocket.sentIn.push(this.readyState);
    super.send(data);
  }
}

// Found by the soak test under load: browsers log an error for every frame sent on a closing socket.
test('a socket that closes while the key is read gets no hello, and the next one does', async () => {
  server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  await once(server, 'listening');
  const first = once(server, 'connection').then(([socket]: NodeWebSocket[]) => socket);
  let onRead = () => {};
  const read = new Promise<void>((resolve) => {
    onRead = resolve;
  });
  const isClosing = async () => {
    const socket = await first;
    // The client starts to close, but the server never reads its reply, so it stays in CLOSING.
    socket?.pause();
    socket?.close();
    await vi.waitFor(() => expect(WatchedSocket.opened[0]?.readyState).toBe(NodeWebSocket.CLOSING));
  };
  client = await openClient({
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`,
    key: async () => {
      if (WatchedSocket.opened.length === 1) await isClosing();
      setImmediate(onRead);
      return 'key';
    },
    outbox: memoryOutbox(),
    onFrame: () => undefined,
    onSettled: () => undefined,
    onSignedIn: () => undefined,
    onUnattributed: async () => undefined,
    onLink: () => undefined,
    probe: async () => true,
    WebSocket: WatchedSocket as unknown as typeof WebSocket,
    now: Date.now,
    random: () => 0,
  });
  await read;
  const second = once(server, 'connection').then(([socket]: NodeWebSocket[]) => socket);
  (await first)?.terminate();
  await once((await second) ?? expect.fail('no second connection'), 'message');
  expect(WatchedSocket.sentIn).toEqual([NodeWebSocket.OPEN]);
});

/** A socket whose bytes leave when the test says so. */
class SlowSocket {
  static readonly opened: SlowSocket[] = [];
  bufferedAmount = 0;
  onopen: (() => void) | null = null;
  onmessage: ((message: { readonly data: string }) => void) | null = null;
  constructor() {
    SlowSocket.opened.push(this);
  }
  send(text: string): void {
    this.bufferedAmount += text.length;
  }
  close(): void {}
}

test('a slow connection stays open while an upload makes progress, and is dropped when it stalls', async () => {
  vi.useFakeTimers();
  client = await openClient({
    url: 'ws://slow',
    outbox: memoryOutbox(),
    onFrame: () => undefined,
    onSettled: () => undefined,
    onSignedIn: () => undefined,
    onUnattributed: async () => undefined,
    onLink: () => undefined,
    probe: async () => true,
    WebSocket: SlowSocket as unknown as typeof WebSocket,
  });
  const socket = SlowSocket.opened[0]!;
  socket.onopen?.();
  socket.onmessage?.({ data: JSON.stringify({ type: 'welcome', v: FRAME_REVISION, serverId: 's', you: { id: 'ada', name: 'Ada', role: 'owner' } }) });
  client.say({ type: 'subscribe', sessionId: SessionId.parse('x'.repeat(120)) });
  for (let ticks = 0; ticks < 50; ticks += 1) {
    socket.bufferedAmount -= 1;
    await vi.advanceTimersByTimeAsync(5000);
  }
  expect(client.say({ type: 'ping' })).toBe(true);

  await vi.advanceTimersByTimeAsync(2 * SILENCE_LIMIT_MS);
  expect(SlowSocket.opened.length).toBeGreaterThan(1);
});
