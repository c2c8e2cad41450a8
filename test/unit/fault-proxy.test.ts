import { connect, createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type FaultProxy, startFaultProxy } from '../support/fault-proxy.ts';

let target: Server;
let proxy: FaultProxy;
let sockets: Socket[];
let reached: (text: string) => Promise<void>;

beforeEach(async () => {
  sockets = [];
  target = createServer((socket) => {
    reached = (text) => new Promise((resolve) => socket.on('data', (chunk) => chunk.toString().includes(text) && resolve()));
    socket.on('error', () => undefined).pipe(socket);
  });
  await new Promise<void>((resolve) => target.listen(0, '127.0.0.1', resolve));
  const address = target.address();
  proxy = await startFaultProxy(typeof address === 'object' ? (address?.port ?? 0) : 0);
});
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await proxy.close();
  target.close();
});

/** A client of the echo server behind the proxy. Collects what comes back. */
function open() {
  const socket = connect(proxy.port, '127.0.0.1').on('error', () => undefined);
  sockets.push(socket);
  let got = '';
  const ended = new Promise<string>((resolve) => socket.on('close', () => resolve(got)));
  socket.on('data', (chunk) => (got += chunk.toString()));
  const received = (text: string) =>
    new Promise<void>((resolve) => (got.includes(text) ? resolve() : socket.on('data', () => got.includes(text) && resolve())));
  return { socket, ended, received, got: () => got };
}

test('without a fault everything passes both ways', async () => {
  const client = open();
  client.socket.write('hello');
  await client.received('hello');
});

test('a stalled connection holds everything back and loses nothing', async () => {
  const client = open();
  client.socket.write('one ');
  await client.received('one');
  proxy.set({ kind: 'stall' });
  const arrival = reached('two');
  client.socket.write('two');
  await arrival;
  expect(client.got()).toBe('one ');
  proxy.set({ kind: 'delay', ms: 1 });
  await client.received('one two');
});

test('a connection that is cut after some bytes delivers exactly those', async () => {
  proxy.set({ kind: 'cut-after', bytes: 7 });
  const client = open();
  client.socket.write('0123456789');
  expect(await client.ended).toBe('0123456');
});

test('cutting ends every open connection, and the next one works', async () => {
  const client = open();
  client.socket.write('x');
  await client.received('x');
  proxy.cut();
  await client.ended;
  const again = open();
  again.socket.write('y');
  await again.received('y');
});
