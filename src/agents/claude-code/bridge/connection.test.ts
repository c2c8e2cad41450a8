import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import { waitFor } from '../../../../test/support/wait-for.ts';
import { Connection } from './connection.ts';
import { type Listener, openListener } from './listener.ts';

const NEVER_MS = 600_000;

async function dial({ url, token }: Listener, received: string[] = []): Promise<WebSocket> {
  const socket = new WebSocket(url, { headers: { authorization: `Bearer ${token}` } });
  socket.on('message', (data) => received.push(String(data)));
  onTestFinished(() => socket.terminate());
  await once(socket, 'open');
  return socket;
}

test('a new socket replaces the old one, and gets the lines that the old one did not receive', async () => {
  const connection = new Connection({ onFrame: () => undefined, onAbsent: () => {}, absentMs: NEVER_MS });
  const listener = await openListener((socket) => connection.accept(socket));
  const first = await dial(listener);
  first.pause(); // it receives nothing
  const delivered = connection.deliver('a line');
  const received: string[] = [];
  await dial(listener, received);
  await delivered;
  expect(received).toEqual(['a line\n']);
});

test('nothing else is read until the last frame is stored', async () => {
  const onFrame: string[] = [];
  let store = (): void => {};
  const stored = new Promise<void>((resolve) => {
    store = resolve;
  });
  const connection = new Connection({ onFrame: (text) => (onFrame.push(text) === 1 ? stored : undefined), onAbsent: () => {}, absentMs: NEVER_MS });
  let ours: WebSocket | undefined;
  const listener = await openListener((socket) => {
    ours = socket;
    connection.accept(socket);
  });
  const theirs = await dial(listener);
  theirs.send('first');
  await waitFor('the first', () => onFrame.length === 1);
  expect(ours?.isPaused).toBe(true);
  theirs.send('second');
  store();
  await waitFor('the second', () => onFrame.length === 2);
  expect(ours?.isPaused).toBe(false);
});

test('absence is reported when nobody connects in time, and again when nobody reconnects', async () => {
  let absences = 0;
  const connection = new Connection({ onFrame: () => undefined, onAbsent: () => (absences += 1), absentMs: 30 });
  const listener = await openListener((socket) => connection.accept(socket));
  await waitFor('the first absence', () => absences === 1);
  (await dial(listener)).close();
  await waitFor('the second absence', () => absences === 2);
});
