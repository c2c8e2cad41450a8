import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import { waitFor } from '../../../../test/support/wait-for.ts';
import { Connection } from './connection.ts';
import { type Door, openDoor } from './door.ts';

const NEVER_MS = 600_000;

async function dial({ url, token }: Door, received: string[] = []): Promise<WebSocket> {
  const socket = new WebSocket(url, { headers: { authorization: `Bearer ${token}` } });
  socket.on('message', (data) => received.push(String(data)));
  onTestFinished(() => socket.terminate());
  await once(socket, 'open');
  return socket;
}

test('who dials again takes the place of the one before, and gets what that one did not take', async () => {
  const connection = new Connection({ heard: () => undefined, absent: () => {}, absentMs: NEVER_MS });
  const door = await openDoor((socket) => connection.enter(socket));
  const first = await dial(door);
  first.pause(); // it takes nothing
  const given = connection.give('a line');
  const received: string[] = [];
  await dial(door, received);
  await given;
  expect(received).toEqual(['a line\n']);
});

test('nothing more is read until what was heard is kept', async () => {
  const heard: string[] = [];
  let keep = (): void => {};
  const kept = new Promise<void>((resolve) => {
    keep = resolve;
  });
  const connection = new Connection({ heard: (text) => (heard.push(text) === 1 ? kept : undefined), absent: () => {}, absentMs: NEVER_MS });
  let ours: WebSocket | undefined;
  const door = await openDoor((socket) => {
    ours = socket;
    connection.enter(socket);
  });
  const theirs = await dial(door);
  theirs.send('first');
  await waitFor('the first', () => heard.length === 1);
  expect(ours?.isPaused).toBe(true);
  theirs.send('second');
  keep();
  await waitFor('the second', () => heard.length === 2);
  expect(ours?.isPaused).toBe(false);
});

test('it is told when nobody dials in time, and again when somebody left and nobody came back', async () => {
  let absences = 0;
  const connection = new Connection({ heard: () => undefined, absent: () => (absences += 1), absentMs: 30 });
  const door = await openDoor((socket) => connection.enter(socket));
  await waitFor('the first absence', () => absences === 1);
  (await dial(door)).close();
  await waitFor('the second absence', () => absences === 2);
});
