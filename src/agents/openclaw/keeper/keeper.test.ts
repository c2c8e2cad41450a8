import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, expect, test } from 'vitest';
import { withBundledProgram } from '../../../../test/support/bundle.ts';
import { endProcessesOf } from '../../../../test/support/processes.ts';
import { temporaryFolder } from '../../../../test/support/temporary-folder.ts';
import { waitFor } from '../../../../test/support/wait-for.ts';
import { launch } from '../launch.ts';
import { keeperFolder } from '../state-folder.ts';

const ROOT = resolve(import.meta.dirname, '../../../..');
const LIMIT_MS = 60_000; // Node with a loader on a busy machine

interface Relay {
  readonly child: ChildProcess;
  readonly lines: readonly { readonly type: string; readonly [field: string]: unknown }[];
  ask(id: string, method: string, params?: object): void;
  end(): void;
  line(what: string, fits: (line: Relay['lines'][number]) => boolean): Promise<Relay['lines'][number]>;
}

let homes: string[] = [];
afterEach(async () => {
  for (const home of homes) await endProcessesOf(home);
  homes = [];
});

async function newHome(token = 'made-up-token'): Promise<string> {
  const home = temporaryFolder('keeper');
  homes.push(home);
  mkdirSync(join(home, '.openclaw'));
  writeFileSync(
    join(home, '.openclaw/openclaw.json'),
    `{ "gateway": { "port": ${await freePort()}, /* as people write it */ "auth": { "token": "${token}", }, } }`,
  );
  return home;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

let runs = 0;

function relayIn(home: string, from: 'one file' | 'source' = 'one file'): Relay {
  const env = { PATH: process.env.PATH ?? '', HOME: home, SIGNALBOX_RUN: `run-${++runs}` };
  const executable = join(ROOT, 'test/fixtures/openclaw-gateway.mjs');
  const opening = { cwd: home, options: {}, mode: 'new', agentSessionId: 'a' } as const;
  const { command, args } = launch({ executable, interpreter: process.execPath, packageRoot: ROOT, env, ...opening });
  const child = spawn(command, from === 'source' ? args : withBundledProgram(args), { env, stdio: ['pipe', 'pipe', 'inherit'] });
  const lines: Relay['lines'][number][] = [];
  createInterface(child.stdout).on('line', (line) => lines.push(JSON.parse(line)));
  return {
    child,
    lines,
    ask: (id, method, params = {}) => child.stdin.write(`${JSON.stringify({ type: 'req', id, method, params })}\n`),
    end: () => child.stdin.end(),
    line: (what, fits) => waitFor(`${what}; so far: ${JSON.stringify(lines)}`, () => lines.find(fits), LIMIT_MS),
  };
}

const isAnswer = (id: string) => (line: Relay['lines'][number]) => line.type === 'res' && line.id === id;
const pidIn = (home: string, name: 'pid' | 'gateway'): number => Number.parseInt(readFileSync(join(keeperFolder({ HOME: home }), name), 'utf8'), 10);
const ended = ({ child }: Relay) => waitFor('the end of a relay', () => child.exitCode !== null || child.signalCode !== null, LIMIT_MS);

test("the first session starts a keeper, which starts the Gateway and reports progress; neither gets the session's variables", {
  timeout: LIMIT_MS,
}, async () => {
  const home = await newHome();
  const relay = relayIn(home, 'source');
  relay.ask('a', 'sessions.create', { key: 'k' });
  expect(await relay.line('an answer', isAnswer('a'))).toMatchObject({ ok: true, payload: { method: 'sessions.create', params: { key: 'k' } } });
  expect(relay.lines.filter((line) => line.type === 'keeper').map((line) => line.phase)).toEqual(expect.arrayContaining(['starting', 'connected']));
  expect(relay.lines.some((line) => line.text === 'OpenClaw Gateway: loading configuration.')).toBe(true);
  for (const name of ['pid', 'gateway'] as const) expect(readFileSync(`/proc/${pidIn(home, name)}/environ`, 'utf8')).not.toContain('SIGNALBOX_');
});

test('sessions share one keeper; each gets its own answers, and the events of its own conversation', { timeout: LIMIT_MS }, async () => {
  const home = await newHome();
  const [one, two] = [relayIn(home), relayIn(home)];
  one.ask('a', 'sessions.messages.subscribe', { key: 'first' });
  two.ask('a', 'sessions.messages.subscribe', { key: 'second' });
  for (const relay of [one, two]) await relay.line('an answer', isAnswer('a'));
  one.ask('t', 'tell', { event: 'session.operation', payload: { sessionKey: 'second' } });
  one.ask('u', 'tell', { event: 'exec.approval.requested', payload: { id: 'x', request: { sessionKey: 'first' } } });
  await one.line('the last answer', isAnswer('u'));
  await two.line('the event', (line) => line.event === 'session.operation');
  expect(one.lines.flatMap((line) => (line.type === 'event' ? [line.event] : []))).toEqual(['exec.approval.requested']);
  expect(two.lines.filter((line) => line.type === 'res').map((line) => line.id)).toEqual(['a']);
});

test('a session whose input ends is ended and its files are removed; the keeper stays', { timeout: LIMIT_MS }, async () => {
  const home = await newHome();
  const relay = relayIn(home);
  relay.ask('a', 'sessions.messages.subscribe', { key: 'k' });
  await relay.line('an answer', isAnswer('a'));
  const keeper = pidIn(home, 'pid');
  relay.end();
  await ended(relay);
  expect(relay.child.exitCode).toBe(0);
  await waitFor('the door file to be removed', () => readdirSync(join(keeperFolder({ HOME: home }), 'doors')).length === 0, LIMIT_MS);
  expect(existsSync(`/proc/${keeper}`)).toBe(true);
  const next = relayIn(home);
  next.ask('b', 'hello');
  await next.line('an answer of the same keeper', isAnswer('b'));
  expect(pidIn(home, 'pid')).toBe(keeper);
});

test('a killed keeper ends its sessions; the next session gets a new keeper and the same Gateway', { timeout: LIMIT_MS }, async () => {
  const home = await newHome();
  const relay = relayIn(home);
  relay.ask('a', 'hello');
  await relay.line('an answer', isAnswer('a'));
  const [keeper, gateway] = [pidIn(home, 'pid'), pidIn(home, 'gateway')];
  process.kill(keeper, 'SIGKILL');
  await ended(relay);
  const next = relayIn(home);
  next.ask('b', 'hello');
  await next.line('an answer of another keeper', isAnswer('b'));
  expect(pidIn(home, 'pid')).not.toBe(keeper);
  expect(pidIn(home, 'gateway')).toBe(gateway);
});

test('a lost connection is reported, and ends every session', { timeout: LIMIT_MS }, async () => {
  const home = await newHome();
  const [one, two] = [relayIn(home), relayIn(home)];
  for (const relay of [one, two]) {
    relay.ask('a', 'hello');
    await relay.line('an answer', isAnswer('a'));
  }
  one.ask('b', 'drop');
  for (const relay of [one, two]) await ended(relay);
  for (const { lines } of [one, two]) expect(lines.at(-1)).toMatchObject({ type: 'keeper', phase: 'lost', text: expect.stringContaining('1011 dropped') });
});

test('the keeper refuses a message too long for the Gateway, so that no session loses the connection', { timeout: LIMIT_MS }, async () => {
  const relay = relayIn(await newHome());
  relay.ask('long', 'chat.send', { message: 'x'.repeat(3000) });
  expect(await relay.line('a refusal', isAnswer('long'))).toMatchObject({ ok: false, error: { message: expect.stringContaining('too long') } });
  relay.ask('short', 'chat.send', { message: 'x' });
  expect(await relay.line('an answer', isAnswer('short'))).toMatchObject({ ok: true });
});

test('a Gateway that rejects us is reported, with what to do', { timeout: LIMIT_MS }, async () => {
  const relay = relayIn(await newHome('another-token'));
  relay.ask('a', 'hello');
  await ended(relay);
  expect(relay.lines.at(-1)).toMatchObject({ phase: 'lost', text: expect.stringMatching(/token mismatch.*OPENCLAW_GATEWAY_TOKEN/) });
});

test('a keeper that is asked to end also ends the Gateway that it started', { timeout: LIMIT_MS }, async () => {
  const home = await newHome();
  const relay = relayIn(home);
  relay.ask('a', 'hello');
  await relay.line('an answer', isAnswer('a'));
  const [keeper, gateway] = [pidIn(home, 'pid'), pidIn(home, 'gateway')];
  process.kill(keeper, 'SIGTERM');
  await ended(relay);
  await waitFor('the end of both', () => !existsSync(`/proc/${keeper}`) && !existsSync(`/proc/${gateway}`), LIMIT_MS);
  expect(existsSync(join(keeperFolder({ HOME: home }), 'pid'))).toBe(false);
});
