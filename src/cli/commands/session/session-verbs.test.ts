import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTerminal, type Terminal } from '../../../../test/support/cli-terminal.ts';
import { startTestServer, type TestServer } from '../../../../test/support/server/test-server.ts';
import type { EventBody } from '../../../protocol/event.ts';
import type { CommandId, ItemId, RequestId, RunId, SessionId, TurnId } from '../../../protocol/ids.ts';
import { openRunTokens } from '../../../server/auth/run-tokens.ts';
import { writeServerFile } from '../../../server/server-file.ts';
import { runCli } from '../../run-cli.ts';

const ID = 'abc1' as SessionId;

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer();
  writeServerFile(server.dataDir, { url: server.running.localUrl, pid: process.pid });
  await server.post('/api/sessions', { agent: 'stand-in', cwd: '/', id: ID });
});
afterEach(() => server.close());

interface Running {
  readonly terminal: Terminal;
  readonly code: Promise<number>;
}

function start(...argv: readonly string[]): Running {
  const terminal = createTerminal({ dataDir: server.dataDir });
  return { terminal, code: runCli(argv, terminal.deps) };
}

const ended = async ({ terminal, code }: Running) => ({ code: await code, out: terminal.out(), err: terminal.err() });
const observe = (...events: readonly EventBody[]) => server.engine.observe(ID, ...events);
const turn = (commandId: string, more: object = {}): EventBody => ({
  type: 'turn.completed',
  turnId: 't1' as TurnId,
  commandId: commandId as CommandId,
  stopReason: 'end_turn',
  isError: false,
  interrupted: false,
  denials: 0,
  ...more,
});
const started = (commandId: string): EventBody => ({ type: 'turn.started', turnId: 't1' as TurnId, cause: 'input', commandId: commandId as CommandId });
const text = (words: string): EventBody => ({ type: 'assistant.text', turnId: 't1' as TurnId, itemId: 'i1' as ItemId, messageId: 'm1', index: 0, text: words });
const asked: EventBody = {
  type: 'permission.requested',
  requestId: 'r:1' as RequestId,
  agentRequestId: '1',
  tool: 'Bash',
  input: { command: 'ls' },
  kind: 'tool',
};

/** Waits until the message is accepted. */
const accepted = (): Promise<void> =>
  expect.poll(() => server.engine.events(ID, { after: 0, limit: 99 }).some(({ type }) => type === 'input.accepted')).toBe(true);

test('[R571] send --wait prints the answer to its own message, and nothing else', async () => {
  const sent = start('send', 'ab', 'hello', '--wait', '--id', 'c1');
  await accepted();
  observe(started('c0'), text('not for us'), turn('c0'), started('c1'), text('Hi.'), turn('c1'));
  expect(await ended(sent)).toEqual({ code: 0, out: 'Hi.\n', err: '' });
  const again = await ended(start('send', ID, 'hello', '--wait', '--id', 'c1', '--json'));
  expect(JSON.parse(again.out)).toMatchObject({ commandId: 'c1', outcome: 'done', text: 'Hi.', sessionId: ID });
  expect(server.engine.events(ID, { after: 0, limit: 99 }).filter(({ type }) => type === 'input.accepted')).toHaveLength(1);
});

test('[R572] send --wait exits with 1 when the turn failed or the time is up, and says how to wait again', async () => {
  const failed = start('send', ID, 'hello', '--wait', '--id', 'c1');
  await accepted();
  observe(started('c1'), turn('c1', { isError: true, errors: ['no credit'] }));
  expect(await ended(failed)).toMatchObject({ code: 1, err: 'The turn failed: no credit\n' });
  expect(await ended(start('send', ID, 'more', '--wait', '--id', 'c2', '--timeout', '0'))).toMatchObject({
    code: 1,
    out: '',
    err: expect.stringContaining('--id c2'),
  });
});

test('[R572] send --wait and wait exit with 3 while a request needs a person', async () => {
  const sent = start('send', ID, 'hello', '--wait', '--id', 'c1', '--json');
  await accepted();
  observe(started('c1'), asked);
  expect(await ended(sent)).toMatchObject({ code: 3, err: expect.stringContaining('signalbox answer r:1 --allow') });
  expect(JSON.parse(sent.terminal.out())).toMatchObject({ outcome: 'needs-person', requests: ['r:1'] });
  expect(await ended(start('wait', ID))).toMatchObject({ code: 3, out: '' });
  expect(await ended(start('wait', ID, '--for', 'permission'))).toMatchObject({ code: 0, out: expect.stringContaining('signalbox answer r:1') });
});

test('[R572] wait returns at once when nothing runs, with 1 when the session failed, and after the turn that was asked for', async () => {
  observe({ type: 'session.status', status: 'idle', cause: 'x' });
  expect(await ended(start('wait', ID, '--json'))).toEqual({ code: 0, out: `{"sessionId":"${ID}","outcome":"idle"}\n`, err: '' });
  expect(await ended(start('wait', ID, '--for', 'turn'))).toMatchObject({ code: 0 });
  observe({ type: 'session.status', status: 'busy', cause: 'x' });
  const waiting = start('wait', ID, '--for', 'turn', '--json', '--after', '1');
  observe(turn('c1', { interrupted: true, stopReason: 'interrupted' }));
  expect((await ended(waiting)).code).toBe(1);
  expect((await ended(start('wait', ID, '--timeout', '0'))).code).toBe(1);
  observe({ type: 'session.status', status: 'failed', cause: 'x' });
  expect((await ended(start('wait', ID))).code).toBe(1);
});

test('logs prints what happened as text or one event per line, from a seq on, and follows', async () => {
  observe(text('first'));
  const { lastSeq } = server.engine.session(ID)!;
  observe({ ...text('second'), itemId: 'i2' as ItemId, messageId: 'm2' } as EventBody);
  expect(await ended(start('logs', ID))).toMatchObject({ code: 0, out: expect.stringMatching(/first\nsecond\n$/) });
  const json = await ended(start('logs', ID, '--json', '--after', String(lastSeq)));
  expect(
    json.out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).text),
  ).toEqual(['second']);
  const following = start('logs', ID, '-f', '--after', String(lastSeq));
  await following.terminal.shows('second');
  observe({ ...text('third'), itemId: 'i3' as ItemId, messageId: 'm3' } as EventBody);
  await following.terminal.shows('third');
  following.terminal.interrupt();
  expect((await ended(following)).out).toBe('second\nthird\n');
});

test('a prefix names one session; several are listed, none is said', async () => {
  await server.post('/api/sessions', { agent: 'stand-in', cwd: '/', id: 'abd2' });
  expect(await ended(start('logs', 'ab'))).toMatchObject({ code: 2, err: expect.stringMatching(/matches 2 sessions \(.*abc1.*\); type more of it/) });
  expect(await ended(start('logs', 'xy'))).toMatchObject({ code: 1, err: 'signalbox logs: There is no session xy. "signalbox ls" lists them.\n' });
  expect(await ended(start('stop', 'abd', '--json'))).toMatchObject({ code: 0, out: expect.stringContaining('"sessionId":"abd2"') });
});

test.each([
  ['send', ID, 'x'],
  ['logs', ID],
  ['attach', ID],
  ['wait', ID],
  ['interrupt', ID],
  ['stop', ID],
  ['fork', ID],
])('[R575] inside a run, "signalbox %s" uses the token of the run only, and is refused with 4', async (...argv) => {
  const run = 'r1' as RunId;
  server.engine.runs.set(run, ID);
  const env = { SIGNALBOX_RUN: run, SIGNALBOX_RUN_TOKEN: openRunTokens(server.dataDir).tokenOf(run), SIGNALBOX_TOKEN: 'test-token' };
  const before = server.engine.session(ID)!.lastSeq;
  for (const inside of [env, { SIGNALBOX_RUN: run, SIGNALBOX_TOKEN: 'test-token' }]) {
    const terminal = createTerminal({ dataDir: server.dataDir, deps: { env: inside } });
    expect([await runCli(argv, terminal.deps), terminal.out()]).toEqual([4, '']);
  }
  expect(server.engine.session(ID)!.lastSeq).toBe(before);
});

const wrong: readonly (readonly [argv: readonly string[], message: RegExp])[] = [
  [['attach'], /name a session/],
  [['logs', 'x', '--after', 'soon'], /--after needs the number of an event/],
  [['send', ID, ' '], /give a message/],
  [['send', ID, 'x', '--timeout', '5'], /--timeout belongs to --wait/],
  [['wait', ID, '--for', 'ever'], /idle, turn or permission/],
  [['wait', ID, '--timeout', 'soon'], /90s, 5m or 2h/],
];
for (const [argv, message] of wrong) {
  test(`"signalbox ${argv.join(' ')}" exits with 2 and says what to fix`, async () => {
    expect(await ended(start(...argv))).toMatchObject({ code: 2, err: expect.stringMatching(message) });
  });
}
