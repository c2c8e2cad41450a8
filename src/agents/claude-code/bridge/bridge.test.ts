import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { bundle } from '../../../../test/support/bundle.ts';
import { waitFor } from '../../../../test/support/wait-for.ts';

const CLI = fileURLToPath(new URL('../../../../test/fixtures/dials-in.mjs', import.meta.url));

let program: string;
let started: ChildProcess[] = [];
beforeAll(() => {
  program = bundle('src/agents/claude-code/bridge/program.ts');
});
afterEach(() => {
  for (const child of started) child.kill('SIGKILL');
  started = [];
});

/** The real bridge with a CLI of our own. */
function start(...flags: readonly string[]) {
  return startWith([process.execPath, CLI, ...flags]);
}

function startWith(command: readonly string[]) {
  const child = spawn(process.execPath, [program, ...command], { stdio: 'pipe' });
  started.push(child);
  const [out, err] = [gather(child.stdout), gather(child.stderr)];
  let code: number | null | undefined;
  child.on('close', (status) => {
    code = status;
  });
  return {
    child,
    err,
    deliver: (...lines: readonly object[]) => child.stdin.write(lines.map((line) => `${JSON.stringify(line)}\n`).join('')),
    lines: (count: number) => waitFor(`${count} lines in ${out().slice(0, 300)} ${err()}`, () => linesIn(out()).length >= count && linesIn(out())),
    cli: () => waitFor('the CLI', () => err().includes('\n') && (JSON.parse(err().split('\n')[0] ?? '') as { url: string; token: string; pid: number })),
    code: () => waitFor('the end of the bridge', () => (code === undefined ? undefined : { code })),
  };
}

function gather(stream: NodeJS.ReadableStream): () => string {
  const chunks: Buffer[] = [];
  stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  return () => Buffer.concat(chunks).toString('utf8');
}

const linesIn = (text: string): readonly string[] => text.split('\n').slice(0, -1);
const say = (uuid: string, text = uuid) => ({ t: 'say', uuid, text });
const said = (uuid: string, text = uuid) => JSON.stringify({ type: 'said', uuid, text });

test('lines pass in both directions complete and in order, including long ones and unusual characters', async () => {
  const bridge = start();
  const texts = ['one', 'a\u2028b\u0085c', 'x'.repeat(3_000_000), 'ä€😀', ...Array.from({ length: 50 }, (_, index) => `number ${index}`)];
  bridge.deliver(...texts.map((text, index) => say(`u${index}`, text)));
  expect(await bridge.lines(texts.length)).toEqual(texts.map((text, index) => said(`u${index}`, text)));
  expect(linesIn(bridge.err())).toHaveLength(1); // the CLI's own
});

test('[R183] messages resent over a new connection are printed once, and a line sent in the meantime arrives', async () => {
  const bridge = start();
  bridge.deliver(say('before'), { t: 'hang-up' }, say('after'));
  await bridge.lines(2);
  bridge.deliver({ t: 'hang-up' }, say('later'), { t: 'exit', code: 0 });
  await bridge.code();
  expect(await bridge.lines(4)).toEqual([said('before'), said('after'), said('later'), '{"type":"last"}']);
});

test('a line lost with its connection is sent again', async () => {
  const bridge = start('--slips');
  bridge.deliver(say('first'), say('second'));
  expect(await bridge.lines(2)).toEqual([said('first'), said('second')]);
});

test('a connection needs both the path and the token', async () => {
  const bridge = start();
  const { url, token } = await bridge.cli();
  expect(new URL(url).hostname).toBe('127.0.0.1');
  expect(await refusal(url, 'wrong')).toContain('401');
  expect(await refusal(url.slice(0, -1), token)).toContain('401');
  expect((await fetch(url.replace('ws:', 'http:'), { headers: { authorization: `Bearer ${token}` } })).status).toBe(404);
  bridge.deliver(say('still here'));
  expect(await bridge.lines(1)).toEqual([said('still here')]);
});

const refusal = (url: string, token: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = new WebSocket(url, { headers: { authorization: `Bearer ${token}` } });
    socket.on('open', () => reject(new Error('the connection was accepted')));
    socket.on('error', (error) => resolve(error.message));
  });

test('at the end of input the CLI is asked to end: its result is printed, the answer to our request is not, and its exit code is ours', async () => {
  const bridge = start();
  bridge.deliver(say('work'));
  await bridge.lines(1);
  bridge.child.stdin.end('{"t":"say","uuid":"half a li');
  expect(await bridge.code()).toEqual({ code: 1 });
  expect(await bridge.lines(2)).toEqual([said('work'), '{"type":"result","uuid":"the-end","subtype":"error_during_execution"}']);
});

test('SIGINT ends it in the same way', async () => {
  const bridge = start();
  bridge.deliver(say('work'));
  await bridge.lines(1);
  bridge.child.kill('SIGINT');
  expect(await bridge.code()).toEqual({ code: 1 });
  expect(await bridge.lines(2)).toHaveLength(2);
});

test('the CLI is ended when its output cannot be written', async () => {
  const bridge = start();
  await bridge.cli();
  bridge.child.stdout.destroy();
  bridge.deliver(say('into the void'), say('and more'));
  expect(await bridge.code()).toEqual({ code: 1 });
  expect(bridge.err()).toContain('The output cannot be written');
});

for (const flag of ['--deaf', '--stays-away']) {
  test(`a CLI that ignores the request to end is killed (${flag})`, async () => {
    const bridge = start(flag);
    const { pid } = await bridge.cli();
    bridge.child.stdin.end();
    expect(await bridge.code()).toEqual({ code: flag === '--deaf' ? 137 : 130 });
    expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  });
}

test('when the CLI exits by itself, its last line is printed and its exit code is ours', async () => {
  const bridge = start();
  bridge.deliver({ t: 'exit', code: 7 });
  expect(await bridge.code()).toEqual({ code: 7 });
  expect(await bridge.lines(1)).toEqual(['{"type":"last"}']);
});

test('SIGTERM is passed on', async () => {
  const bridge = start();
  await bridge.cli();
  bridge.child.kill('SIGTERM');
  expect(await bridge.code()).toEqual({ code: 143 });
});

test('a CLI that cannot be run is reported with a readable error', async () => {
  const bridge = startWith(['/not/there']);
  expect(await bridge.code()).toEqual({ code: 127 });
  expect(bridge.err()).toContain('/not/there could not be run');
});
