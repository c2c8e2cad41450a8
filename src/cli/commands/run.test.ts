import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTerminal, type Terminal } from '../../../test/support/cli-terminal.ts';
import { startTestServer, type TestServer } from '../../../test/support/server/test-server.ts';
import type { EventBody } from '../../protocol/event.ts';
import type { ItemId, RequestId, SessionId, TurnId } from '../../protocol/ids.ts';
import { writeServerFile } from '../../server/server-file.ts';
import { runCli } from '../run-cli.ts';

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer();
  writeServerFile(server.dataDir, { url: server.running.localUrl, pid: process.pid });
});
afterEach(() => server.close());

const start = (argv: readonly string[], isTTY = false): { readonly terminal: Terminal; readonly code: Promise<number> } => {
  const terminal = createTerminal({ dataDir: server.dataDir, isTTY });
  return { terminal, code: runCli(argv, terminal.deps) };
};

/** The test plays the agent: this waits until the session exists and returns its id. */
async function sessionOf(terminal: Terminal): Promise<SessionId> {
  await terminal.shows('Session ');
  return server.engine.sessions()[0]!.id;
}

const text = (words: string): EventBody => ({ type: 'assistant.text', itemId: 'i1' as ItemId, messageId: 'm1', index: 0, text: words });
const done = (changes: { isError?: boolean; interrupted?: boolean } = {}): EventBody => ({
  type: 'turn.completed',
  turnId: 't1' as TurnId,
  stopReason: 'end',
  isError: false,
  interrupted: false,
  denials: 0,
  ...changes,
});
const asked: EventBody = {
  type: 'permission.requested',
  requestId: 'r:1' as RequestId,
  agentRequestId: '1',
  tool: 'Bash',
  input: { command: 'ls' },
  kind: 'tool',
};
const chunk = (words: string, offset: number) => ({ itemId: 'i1', messageId: 'm1', index: 0, kind: 'text', text: words, offset }) as const;

test('run streams each character once and ends with the turn', async () => {
  const { terminal, code } = start(['run', 'say hello']);
  const id = await sessionOf(terminal);
  expect(server.engine.events(id, { after: 0, limit: 9 })).toMatchObject([
    { type: 'session.created', cwd: '/tmp' },
    { type: 'input.accepted', text: 'say hello' },
  ]);
  server.engine.stream(id, chunk('Hel', 0));
  server.engine.stream(id, chunk('lo', 3));
  await terminal.shows('Hello');
  server.engine.observe(id, text('Hello there'));
  server.engine.observe(id, done());
  expect(await code).toBe(0);
  expect(terminal.out()).toBe('Hello there\n');
});

const ends: readonly (readonly [name: string, body: EventBody, code: number])[] = [
  ['well', done(), 0],
  ['with an error', done({ isError: true }), 1],
  ['interrupted', done({ interrupted: true }), 1],
  ['because the agent failed', { type: 'session.status', status: 'failed', cause: 'crash' }, 1],
];
for (const [name, body, expected] of ends) {
  test(`a turn that ends ${name} exits with ${expected}`, async () => {
    const { terminal, code } = start(['run', 'go']);
    server.engine.observe(await sessionOf(terminal), body);
    expect(await code).toBe(expected);
  });
}

const policies: readonly (readonly [flags: readonly string[], typed: string | undefined, outcome: string])[] = [
  [['--allow'], undefined, 'allowed'],
  [['--deny'], undefined, 'denied'],
  [[], 'y\n', 'allowed'],
  [[], '\n', 'denied'],
];
for (const [flags, typed, outcome] of policies) {
  test(`a request is ${outcome} with ${flags.join(' ') || `the answer ${JSON.stringify(typed)} on the terminal`}`, async () => {
    const { terminal, code } = start(['run', 'go', ...flags], typed !== undefined);
    const id = await sessionOf(terminal);
    server.engine.observe(id, asked);
    if (typed !== undefined) {
      await terminal.shows('Allow? [y/N]');
      terminal.type(typed);
    }
    await terminal.shows(` ${outcome} this`);
    server.engine.observe(id, done());
    expect(await code).toBe(0);
    expect(server.engine.permissions()).toEqual([]);
  });
}

test('a script without --allow or --deny prints how to answer, and another program can', async () => {
  const { terminal, code } = start(['run', 'go']);
  const id = await sessionOf(terminal);
  server.engine.observe(id, asked);
  await terminal.shows('signalbox answer r:1 --allow');
  expect(await start(['inbox']).code).toBe(0);
  expect(await start(['answer', 'r:1', 'allow']).code).toBe(0);
  await terminal.shows('allowed');
  server.engine.observe(id, done());
  expect(await code).toBe(0);
});

test('the first Ctrl-C interrupts the turn, the second exits', async () => {
  const { terminal, code } = start(['run', 'go']);
  const id = await sessionOf(terminal);
  server.engine.observe(id, { type: 'session.status', status: 'busy', cause: 'input' }, text('working'));
  await terminal.shows('working');
  terminal.interrupt();
  await expect.poll(() => server.engine.session(id)?.statusCause.cause).toBe('interrupted');
  terminal.interrupt();
  expect(await code).toBe(1);
});

test('--json prints the frames and nothing else on stdout', async () => {
  const { terminal, code } = start(['run', 'go', '--json']);
  await terminal.shows('"type":"snapshot"');
  server.engine.observe(server.engine.sessions()[0]!.id, done());
  expect(await code).toBe(0);
  const types = terminal
    .out()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).type);
  expect(types.slice(0, 2)).toEqual(['welcome', 'snapshot']);
  expect(types).toContain('event');
});

test('--session continues a session and prints only what is new', async () => {
  await server.post('/api/sessions', { agent: 'stand-in', cwd: '/', id: 'old' });
  server.engine.observe('old' as SessionId, text('long ago'), done({ isError: true }));
  const { terminal, code } = start(['run', 'more', '--session', 'old']);
  await expect.poll(() => server.engine.session('old' as SessionId)?.lastSeq).toBe(4);
  server.engine.observe('old' as SessionId, { ...text('new words'), itemId: 'i2' as ItemId } as EventBody, done());
  expect(await code).toBe(0);
  expect(terminal.out()).toBe('new words\n');
});

test('run survives a server restart on another port and continues after the last event', async () => {
  const { terminal, code } = start(['run', 'go']);
  const id = await sessionOf(terminal);
  server.engine.observe(id, text('before'));
  await terminal.shows('before');
  await server.running.close();
  server.engine.observe(id, { ...text('meanwhile'), itemId: 'i2' as ItemId } as EventBody);
  const second = await startTestServer({}, { engine: server.engine, tokens: server.tokens });
  writeServerFile(server.dataDir, { url: second.running.localUrl, pid: process.pid });
  await terminal.shows('meanwhile');
  server.engine.observe(id, done());
  expect(await code).toBe(0);
  expect(terminal.out()).toBe('before\nmeanwhile\n');
  await second.close();
});

test('terminal commands in an answer are escaped', async () => {
  const { terminal, code } = start(['run', 'go']);
  server.engine.observe(await sessionOf(terminal), text('\u001b]0;owned\u0007red'), done());
  await code;
  expect(terminal.out()).toBe('\\x1b]0;owned\\x07red\n');
});

test('a refused session shows the server’s own message', async () => {
  server.engine.refuseWith(() => ({ refused: 'too-many-live', message: 'Five agents run already' }));
  const { terminal, code } = start(['run', 'go']);
  expect(await code).toBe(1);
  expect(terminal.err()).toBe('signalbox run: Five agents run already\n');
});

test('backup prints the path of the copy', async () => {
  const { terminal, code } = start(['backup']);
  expect(await code).toBe(0);
  expect(terminal.out()).toBe('/data/backups/journal.db\n');
});

test('ls shows sessions as a table or as JSON', async () => {
  const empty = start(['ls']);
  await empty.code;
  expect(empty.terminal.out()).toContain('No sessions found');
  await server.post('/api/sessions', { agent: 'stand-in', cwd: '/', id: 's1', title: 'First' });
  const list = start(['ls']);
  await list.code;
  expect(list.terminal.out()).toMatch(/ID +AGENT +STATUS +UPDATED +PROJECT +TITLE\ns1 +stand-in +idle +\S+ \S+ +.*First\n/);
  const json = start(['ls', '--json']);
  await json.code;
  expect(JSON.parse(json.terminal.out())).toMatchObject({ id: 's1', title: 'First' });
});
