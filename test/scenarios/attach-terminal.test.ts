import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Event } from '../../src/protocol/event.ts';
import type { Session } from '../../src/protocol/session.ts';
import { api } from '../support/client.ts';
import { openPty, type Pty, ptyMissing } from '../support/pty.ts';
import { commandLine, startServer, type TestServer } from '../support/real-server.ts';

let server: TestServer;
beforeAll(async () => {
  if (ptyMissing === undefined) server = await startServer();
});
afterAll(() => server?.close());

const newSession = async (): Promise<Session> => (await api<Session>(server, 'POST', '/api/sessions', { agent: 'demo', cwd: server.project })).body;
const sessionNow = async ({ id }: Session): Promise<Session> => (await api<Session>(server, 'GET', `/api/sessions/${id}`)).body;
const eventsOf = async ({ id }: Session): Promise<readonly Event[]> =>
  (await api<{ events: Event[] }>(server, 'GET', `/api/sessions/${id}/events?after=0&limit=1000`)).body.events;
const messages = async (session: Session) => (await eventsOf(session)).flatMap((event) => (event.type === 'user.message' ? [event.text] : []));
const isIdle = (session: Session): Promise<void> => expect.poll(async () => (await sessionNow(session)).status).toBe('idle');

function attach(session: Session, env: Readonly<Record<string, string>> = {}): Pty {
  const own = { PATH: process.env.PATH ?? '', HOME: server.home, SIGNALBOX_DATA: server.data, LANG: 'C.UTF-8', NO_COLOR: '1', ...env };
  return openPty([process.execPath, ...commandLine(), 'attach', session.id], { env: own, cwd: server.project, columns: 60 });
}

const ENTER = '\r';
const [CTRL_C, CTRL_D] = ['\u0003', '\u0004'];

test('[R573] on a real terminal: queue, steer, approve with an edit, interrupt, and detach without ending the agent', async ({ skip }) => {
  if (ptyMissing) return skip(ptyMissing);
  const session = await newSession();
  const editor = join(server.home, 'editor.sh');
  writeFileSync(editor, '#!/bin/sh\necho "echo edited in the terminal" > "$1"\n');
  chmodSync(editor, 0o755);
  const terminal = attach(session, { EDITOR: editor });
  await terminal.shows('message>');

  terminal.type(`wait${ENTER}`);
  await expect.poll(async () => (await sessionNow(session)).status).toBe('busy');
  terminal.type(`echo queued${ENTER}`);
  await expect.poll(async () => (await sessionNow(session)).queue.length).toBe(2);
  terminal.type(`:now that is enough${ENTER}`);
  await expect.poll(() => messages(session)).toContain('that is enough');
  await expect.poll(() => messages(session)).toEqual(['wait', 'that is enough', 'echo queued']);

  terminal.type(`run date${ENTER}`);
  await terminal.shows('e = edit >');
  terminal.type(`e${ENTER}`);
  await terminal.shows('It ran.');
  expect((await eventsOf(session)).find(({ type }) => type === 'permission.resolved')).toMatchObject({
    outcome: 'allowed',
    updatedInput: { command: 'echo edited in the terminal' },
  });

  terminal.type(`wait${ENTER}`);
  await expect.poll(async () => (await sessionNow(session)).status).toBe('busy');
  const { pid } = await sessionNow(session);
  terminal.type(CTRL_C);
  await terminal.shows('Interrupting…');
  await isIdle(session);
  expect((await eventsOf(session)).findLast(({ type }) => type === 'turn.completed')).toMatchObject({ interrupted: true });

  terminal.type(CTRL_C);
  expect(await terminal.exited).toBe(0);
  expect((await sessionNow(session)).pid).toBe(pid);
});

test('wide characters and a resized window leave every line readable once, and Ctrl-D detaches', async ({ skip }) => {
  if (ptyMissing) return skip(ptyMissing);
  const session = await newSession();
  const terminal = attach(session);
  await terminal.shows('message>');
  terminal.type('echo 日本語のテキスト');
  await terminal.shows('message> echo 日本語のテキスト');
  terminal.type('\u007f\u007f!');
  await terminal.shows('message> echo 日本語のテキ!');
  terminal.type(ENTER);
  await expect.poll(() => terminal.screen().filter((line) => line === '日本語のテキ!')).toHaveLength(1);
  terminal.resize(24);
  terminal.type('echo after the window got narrow');
  await expect.poll(() => terminal.screen().slice(-2)).toEqual(['message> echo after the', 'window got narrow']);
  terminal.type(ENTER);
  await expect.poll(() => messages(session)).toEqual(['echo 日本語のテキ!', 'echo after the window got narrow']);
  await isIdle(session);
  terminal.type(CTRL_D);
  expect(await terminal.exited).toBe(0);
  expect((await sessionNow(session)).status).toBe('idle');
});

test('[R574] a request that appears while a person types is not answered by that line', async ({ skip }) => {
  if (ptyMissing) return skip(ptyMissing);
  const session = await newSession();
  const terminal = attach(session);
  await terminal.shows('message>');
  terminal.type('y');
  await terminal.shows('message> y');
  await api(server, 'POST', `/api/sessions/${session.id}/input`, { text: 'run date' });
  await terminal.shows('e = edit >');
  terminal.type(ENTER);
  await terminal.shows('appeared while you were typing');
  expect((await sessionNow(session)).waiting).toBe(1);
  expect(await messages(session)).toEqual(['run date']);
  terminal.type(`n${ENTER}`);
  await isIdle(session);
  expect((await eventsOf(session)).find(({ type }) => type === 'permission.resolved')).toMatchObject({ outcome: 'denied' });
  terminal.type(CTRL_D);
  expect(await terminal.exited).toBe(0);
});
