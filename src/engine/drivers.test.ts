import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { ADA, createEngine, type EngineBench } from '../../test/support/engine.ts';
import { waitFor } from '../../test/support/wait-for.ts';
import type { Adapter } from '../agents/adapter.ts';
import { demo } from '../agents/demo/index.ts';
import { identify } from '../host/identity.ts';
import type { AgentId, CommandId, SessionId } from '../protocol/ids.ts';

const DEMO = 'demo' as AgentId;
const CONVERSATION = 'held';

/** The demo agent keeps no registry, so this one has the plainest there could be: the words of the process in a file of its name. */
const registered: Adapter = {
  ...demo,
  registry: {
    folder: (env) => join(env.HOME ?? '', 'registry'),
    read: (fileName, text) => {
      const [pid, start, agentSessionId] = text.split(' ');
      if (!fileName.endsWith('.held') || start === undefined || agentSessionId === undefined) return undefined;
      return { pid: Number(pid), start, agentSessionId, what: 'an editor' };
    },
  },
} as Adapter;

const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

/** A process that holds the conversation and has started another in a session of its own, as agents' tools do. */
async function hold(bench: EngineBench, how = ''): Promise<{ readonly pid: number; readonly below: number; readonly child: ChildProcess }> {
  const child = spawn('sh', ['-c', `${how} setsid sleep 300 & echo $!; wait`], { stdio: ['ignore', 'pipe', 'ignore'] });
  children.push(child);
  const below = await new Promise<number>((resolve) => child.stdout.once('data', (bytes: Buffer) => resolve(Number(bytes.toString()))));
  const pid = child.pid ?? 0;
  writeEntry(bench, pid, identify(pid)?.start ?? '');
  return { pid, below, child };
}

function writeEntry(bench: EngineBench, pid: number, start: string): void {
  mkdirSync(join(bench.home, 'registry'), { recursive: true });
  writeFileSync(join(bench.home, 'registry', `${pid}.held`), `${pid} ${start} ${CONVERSATION}`);
}

async function benchWithRecord(): Promise<EngineBench> {
  const bench = await createEngine({ adapters: [registered] });
  const folder = join(bench.home, '.signalbox-demo');
  mkdirSync(folder, { recursive: true });
  const lines = [
    { type: 'session', id: CONVERSATION, cwd: bench.folder },
    { type: 'user', id: 'u1', text: 'from a terminal' },
    { type: 'answered', id: 'u1', text: 'answered there' },
  ];
  writeFileSync(join(folder, `${CONVERSATION}.jsonl`), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  return bench;
}

function resume(bench: EngineBench, more: { readonly prompt?: string; readonly takeover?: boolean } = {}) {
  const sessionId = 'mine' as SessionId;
  const goOn = { how: 'resume', agentSessionId: CONVERSATION } as const;
  const commandId = randomUUID() as CommandId;
  return bench.engine.submit({ type: 'session.create', commandId, sessionId, agent: DEMO, cwd: bench.folder, options: {}, goOn, ...more }, ADA);
}

const MINE = 'mine' as SessionId;
const isGone = (pid: number): boolean => identify(pid) === undefined;

test('[R170] a conversation that another program holds is not gone on with, and the refusal names the program', async () => {
  const bench = await benchWithRecord();
  const { pid } = await hold(bench);
  expect(await resume(bench)).toMatchObject({ refused: 'driven-elsewhere', message: expect.stringMatching(new RegExp(`an editor.*${pid}.*takeover`)) });
  expect(await bench.engine.past(DEMO, {})).toMatchObject({ conversations: [{ driver: { pid, what: 'an editor' } }] });
  expect(isGone(pid)).toBe(false);
});

test('[R171] what a dead program left behind, or another process has the number of, holds nothing', async () => {
  const bench = await benchWithRecord();
  writeEntry(bench, process.pid, 'another start');
  writeEntry(bench, 2 ** 22 - 3, '1');
  await resume(bench, { prompt: 'hello' });
  await bench.event(MINE, 'turn.completed');
  expect(bench.events(MINE).some((event) => event.type === 'driver.found')).toBe(false);
});

test('[R172] a takeover ends the other program and what it started, and goes on, also over a restart', async () => {
  const bench = await benchWithRecord();
  const { pid, below } = await hold(bench, 'trap "" INT;');
  expect(await resume(bench, { prompt: 'remember', takeover: true })).not.toHaveProperty('refused');
  await bench.reopen();
  await bench.event(MINE, 'turn.completed');
  expect([pid, below].map(isGone)).toEqual([true, true]);
  const told = bench.events(MINE).map((event) => event.type);
  expect(told.filter((type) => type.startsWith('driver.') || type.startsWith('takeover.'))).toEqual(['driver.found', 'takeover.requested', 'driver.gone']);
  expect(told.filter((type) => type === 'user.message')).toHaveLength(2);
});

test('[R173] a message waits while another program holds the conversation, over a restart, and goes on when that one ends', async () => {
  const bench = await benchWithRecord();
  await resume(bench, { prompt: 'hello' });
  await bench.event(MINE, 'turn.completed');
  await bench.do({ type: 'session.sleep', sessionId: MINE });
  await bench.event(MINE, 'session.exited');
  const { pid, child } = await hold(bench);
  await bench.do({ type: 'input.send', sessionId: MINE, text: 'remember' });
  await bench.event(MINE, 'driver.found', (event) => event.pid === pid);
  await bench.reopen();
  await bench.engine.drain();
  expect(bench.engine.session(MINE)).toMatchObject({ control: 'elsewhere', status: 'sleeping', driver: { pid }, queue: [{ state: 'accepted' }] });
  child.kill('SIGKILL');
  await bench.event(MINE, 'driver.gone');
  await bench.event(MINE, 'assistant.text', (event) => event.text.includes('2. hello'));
  expect(bench.engine.session(MINE)).toMatchObject({ control: 'here' });
});

test('when another program takes up a conversation of ours, our idle process steps aside', async () => {
  const bench = await benchWithRecord();
  await resume(bench, { prompt: 'hello' });
  await bench.event(MINE, 'turn.completed');
  const { pid } = await hold(bench);
  await bench.event(MINE, 'driver.found', (event) => event.pid === pid);
  await bench.event(MINE, 'session.exited', (event) => event.reason === 'sleep');
  expect(bench.engine.session(MINE)).toMatchObject({ control: 'elsewhere' });
  await bench.do({ type: 'session.takeover', sessionId: MINE });
  await bench.event(MINE, 'driver.gone');
  await waitFor('its process', () => bench.engine.session(MINE)?.control === 'here');
  expect(isGone(pid)).toBe(true);
});

test('a program that has started this server is not ended by it', async () => {
  const bench = await benchWithRecord();
  const parent = Number(readFileSync(`/proc/${process.pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[1]);
  writeEntry(bench, parent, identify(parent)?.start ?? '');
  await resume(bench, { takeover: true });
  const notice = await bench.event(MINE, 'notice.shown', (event) => event.level === 'error');
  expect(notice.text).toContain('has started Signalbox itself');
  expect(isGone(parent)).toBe(false);
});

test('a program that a tool of another session has started is another program', async () => {
  const bench = await benchWithRecord();
  const sessionId = 'other' as SessionId;
  await bench.do({ type: 'session.create', sessionId, agent: DEMO, cwd: bench.folder, options: {}, prompt: 'hello' });
  const { run } = await bench.event(sessionId, 'run.opened');
  const { pid } = await hold(bench, `export SIGNALBOX_RUN=${run}; exec env SIGNALBOX_RUN=${run} sh -c 'setsid sleep 300 & echo $!; wait';`);
  expect(await resume(bench)).toMatchObject({ refused: 'driven-elsewhere', message: expect.stringContaining(String(pid)) });
});
