import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { demoRecords } from '../../../test/support/agents/demo-records.ts';
import { CONVERSATION, registered, writeEntry } from '../../../test/support/engine/demo-registry.ts';
import { createRecordsPort } from '../../../test/support/engine/records-port.ts';
import { ADA, createEngine, type EngineOptions, type EngineSetup } from '../../../test/support/engine/test-engine.ts';
import { waitFor } from '../../../test/support/wait-for.ts';
import type { Adapter } from '../../agents/port/adapter.ts';
import { archivedIdOf } from '../../agents/port/archived-id.ts';
import { identify } from '../../host/identity.ts';
import type { AgentId, CommandId, SessionId } from '../../protocol/ids.ts';

const DEMO = 'demo' as AgentId;

const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

/** Starts a process that has the conversation open and a child in its own process session, like agents' tools. */
async function openElsewhere(setup: EngineSetup, prefix = ''): Promise<{ readonly pid: number; readonly childPid: number; readonly child: ChildProcess }> {
  const child = spawn('sh', ['-c', `${prefix} setsid sleep 300 & echo $!; wait`], { stdio: ['ignore', 'pipe', 'ignore'] });
  children.push(child);
  const childPid = await new Promise<number>((resolve) => child.stdout.once('data', (bytes: Buffer) => resolve(Number(bytes.toString()))));
  const pid = child.pid ?? 0;
  writeEntry(setup, pid, identify(pid)?.start ?? '');
  return { pid, childPid, child };
}

async function setupWithRecord(adapters: readonly Adapter[] = [registered], more: EngineOptions = {}): Promise<EngineSetup> {
  const setup = await createEngine({ adapters, ...more });
  const folder = join(setup.home, '.signalbox-demo');
  mkdirSync(folder, { recursive: true });
  const lines = [
    { type: 'session', id: CONVERSATION, cwd: setup.folder },
    { type: 'user', id: 'u1', text: 'from a terminal' },
    { type: 'answered', id: 'u1', text: 'answered there' },
  ];
  writeFileSync(join(folder, `${CONVERSATION}.jsonl`), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  return setup;
}

function resume(setup: EngineSetup, more: { readonly prompt?: string; readonly takeover?: boolean } = {}) {
  const sessionId = 'mine' as SessionId;
  const goOn = { how: 'resume', agentSessionId: CONVERSATION } as const;
  const commandId = randomUUID() as CommandId;
  return setup.engine.submit({ type: 'session.create', commandId, sessionId, agent: DEMO, cwd: setup.folder, options: {}, goOn, ...more }, ADA);
}

const MINE = 'mine' as SessionId;
const isGone = (pid: number): boolean => identify(pid) === undefined;

test('[R170] a conversation that is open in another program is not resumed, and the refusal names the program', async () => {
  const setup = await setupWithRecord();
  const { pid } = await openElsewhere(setup);
  expect(await resume(setup)).toMatchObject({ refused: 'driven-elsewhere', message: expect.stringMatching(new RegExp(`an editor.*${pid}.*takeover`)) });
  expect(await setup.engine.past(DEMO, {})).toMatchObject({ conversations: [{ driver: { pid, what: 'an editor' } }] });
  expect(isGone(pid)).toBe(false);
});

test('[R171] registry entries of dead processes and of reused pids are ignored', async () => {
  const setup = await setupWithRecord();
  writeEntry(setup, process.pid, 'another start');
  writeEntry(setup, 2 ** 22 - 3, '1');
  await resume(setup, { prompt: 'hello' });
  await setup.event(MINE, 'turn.completed');
  expect(setup.events(MINE).some((event) => event.type === 'driver.found')).toBe(false);
});

test('[R172] a takeover ends the other program and its children, and resumes the conversation, also across a restart', async () => {
  const setup = await setupWithRecord();
  const { pid, childPid } = await openElsewhere(setup, 'trap "" INT;');
  expect(await resume(setup, { prompt: 'remember', takeover: true })).not.toHaveProperty('refused');
  await setup.reopen();
  await setup.event(MINE, 'turn.completed');
  expect([pid, childPid].map(isGone)).toEqual([true, true]);
  const types = setup.events(MINE).map((event) => event.type);
  expect(types.filter((type) => type.startsWith('driver.') || type.startsWith('takeover.'))).toEqual(['driver.found', 'takeover.requested', 'driver.gone']);
  expect(types.filter((type) => type === 'user.message')).toHaveLength(2);
});

test('[R173] a message waits while another program has the conversation open, also across a restart, and is sent when that program ends', async () => {
  const setup = await setupWithRecord();
  await resume(setup, { prompt: 'hello' });
  await setup.event(MINE, 'turn.completed');
  await setup.do({ type: 'session.sleep', sessionId: MINE });
  await setup.event(MINE, 'session.exited');
  const { pid, child } = await openElsewhere(setup);
  await setup.do({ type: 'input.send', sessionId: MINE, text: 'remember' });
  await setup.event(MINE, 'driver.found', (event) => event.pid === pid);
  await setup.reopen();
  await setup.engine.drain();
  expect(setup.engine.session(MINE)).toMatchObject({ control: 'elsewhere', status: 'sleeping', driver: { pid }, queue: [{ state: 'accepted' }] });
  child.kill('SIGKILL');
  await setup.event(MINE, 'driver.gone');
  await setup.event(MINE, 'assistant.text', (event) => event.text.includes('2. hello'));
  expect(setup.engine.session(MINE)).toMatchObject({ control: 'here' });
});

test('when another program opens one of our conversations, our idle process ends', async () => {
  const setup = await setupWithRecord();
  await resume(setup, { prompt: 'hello' });
  await setup.event(MINE, 'turn.completed');
  const { pid } = await openElsewhere(setup);
  await setup.event(MINE, 'driver.found', (event) => event.pid === pid);
  await setup.event(MINE, 'session.exited', (event) => event.reason === 'sleep');
  expect(setup.engine.session(MINE)).toMatchObject({ control: 'elsewhere' });
  await setup.do({ type: 'session.takeover', sessionId: MINE });
  await setup.event(MINE, 'driver.gone');
  await waitFor('our process', () => setup.engine.session(MINE)?.control === 'here');
  expect(isGone(pid)).toBe(true);
});

test('a takeover does not end the program that started this server', async () => {
  const setup = await setupWithRecord();
  const parent = Number(readFileSync(`/proc/${process.pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[1]);
  writeEntry(setup, parent, identify(parent)?.start ?? '');
  await resume(setup, { takeover: true });
  const notice = await setup.event(MINE, 'notice.shown', (event) => event.level === 'error');
  expect(notice.text).toContain('also started Signalbox');
  expect(isGone(parent)).toBe(false);
});

test('a program started by a tool of another session counts as another program', async () => {
  const setup = await setupWithRecord();
  const sessionId = 'other' as SessionId;
  await setup.do({ type: 'session.create', sessionId, agent: DEMO, cwd: setup.folder, options: {}, prompt: 'hello' });
  const { run } = await setup.event(sessionId, 'run.opened');
  const { pid } = await openElsewhere(setup, `export SIGNALBOX_RUN=${run}; exec env SIGNALBOX_RUN=${run} sh -c 'setsid sleep 300 & echo $!; wait';`);
  expect(await resume(setup)).toMatchObject({ refused: 'driven-elsewhere', message: expect.stringContaining(String(pid)) });
});

/** One of our sessions, sleeping, whose conversation another program can open. */
async function setupAsleep(): Promise<EngineSetup> {
  const setup = await setupWithRecord();
  await resume(setup, { prompt: 'hello' });
  await setup.event(MINE, 'turn.completed');
  await setup.do({ type: 'session.sleep', sessionId: MINE });
  await setup.event(MINE, 'session.exited');
  return setup;
}

const registryOf = (setup: EngineSetup): string => join(setup.home, 'registry');
const eventsOf = (setup: EngineSetup, type: string) => setup.events(MINE).filter((event) => event.type === type);
const isUnknown = (event: { readonly text: string }): boolean => event.text.includes("can't tell whether another program has this conversation open");

test('[R179] while a registry cannot be read, nothing starts and a notice says so; once it can be read, the session continues', async () => {
  const setup = await setupAsleep();
  writeFileSync(registryOf(setup), 'in the way of the folder');
  await setup.do({ type: 'input.send', sessionId: MINE, text: 'remember' });
  await setup.event(MINE, 'notice.shown', isUnknown);
  expect(eventsOf(setup, 'run.ready')).toHaveLength(1);
  renameSync(registryOf(setup), join(setup.home, 'put-aside'));
  await setup.event(MINE, 'assistant.text', (event) => event.text.includes('2. hello'));
  expect(eventsOf(setup, 'notice.shown').length).toBe(1);
});

test('a known driver stays known while the registry cannot be read, also across a restart', async () => {
  const setup = await setupAsleep();
  const { pid, child } = await openElsewhere(setup);
  await setup.event(MINE, 'driver.found');
  renameSync(registryOf(setup), join(setup.home, 'put-aside'));
  writeFileSync(registryOf(setup), 'in the way of the folder');
  child.kill('SIGKILL');
  await setup.do({ type: 'session.takeover', sessionId: MINE });
  await setup.event(MINE, 'notice.shown', isUnknown);
  await setup.reopen();
  await waitFor('the notice of the next server', () => eventsOf(setup, 'notice.shown').length === 2);
  expect(setup.engine.session(MINE)).toMatchObject({ control: 'elsewhere', driver: { pid } });
  renameSync(join(setup.home, 'registry'), join(setup.home, 'gone'));
  await setup.event(MINE, 'driver.gone', (event) => event.pid === pid);
});

test('a session that waits because the holder is unknown can be stopped', async () => {
  const setup = await setupAsleep();
  writeFileSync(registryOf(setup), 'in the way of the folder');
  await setup.do({ type: 'input.send', sessionId: MINE, text: 'remember' });
  await setup.event(MINE, 'notice.shown', isUnknown);
  await setup.do({ type: 'session.stop', sessionId: MINE });
  await setup.event(MINE, 'session.exited', (event) => event.reason === 'stop');
  await setup.engine.drain();
  expect(setup.engine.session(MINE)).toMatchObject({ status: 'ended', queue: [{ text: 'remember', state: 'accepted' }] });
});

test('a conversation is not resumed while its holder is unknown', async () => {
  const setup = await setupWithRecord();
  writeFileSync(registryOf(setup), 'in the way of the folder');
  expect(await resume(setup)).toMatchObject({ refused: 'conflict', message: expect.stringContaining("can't tell") });
  expect(await setup.engine.past(DEMO, {})).toMatchObject({ conversations: [{ agentSessionId: CONVERSATION }] });
});

test('a torn registry entry of a live process is read again before anything starts', async () => {
  const setup = await setupAsleep();
  const { pid } = await openElsewhere(setup);
  await setup.event(MINE, 'driver.found');
  const entry = join(registryOf(setup), `${pid}.open`);
  const complete = readFileSync(entry, 'utf8');
  writeFileSync(entry, '');
  await setup.do({ type: 'session.takeover', sessionId: MINE });
  await setup.event(MINE, 'notice.shown', isUnknown);
  expect(isGone(pid)).toBe(false);
  writeFileSync(entry, complete);
  await setup.event(MINE, 'driver.gone', (event) => event.reason === 'it was taken over');
  expect(isGone(pid)).toBe(true);
});

test('a torn registry entry that is older than the process with its pid is ignored', async () => {
  const setup = await setupAsleep();
  writeEntry(setup, process.pid, '');
  const entry = join(registryOf(setup), `${process.pid}.open`);
  writeFileSync(entry, '');
  utimesSync(entry, 1, 1);
  await setup.do({ type: 'input.send', sessionId: MINE, text: 'remember' });
  await setup.event(MINE, 'assistant.text', (event) => event.text.includes('2. hello'));
  expect(eventsOf(setup, 'notice.shown')).toEqual([]);
});

test('a session whose agent is no longer known does not keep others from being swept', async () => {
  const removed = { ...registered, id: 'removed' as AgentId };
  const setup = await setupWithRecord([removed, registered]);
  const first = 'first' as SessionId;
  await setup.do({ type: 'session.create', sessionId: first, agent: removed.id, cwd: setup.folder, options: {}, prompt: 'hello' });
  await setup.event(first, 'turn.completed');
  await setup.do({ type: 'session.stop', sessionId: first });
  await setup.event(first, 'session.exited');
  await resume(setup);
  await setup.reopen({ adapters: [registered] });
  const { pid } = await openElsewhere(setup);
  await setup.event(MINE, 'driver.found', (event) => event.pid === pid);
});

/** The conversation is a past session that was not adopted yet. */
async function setupWithPast(): Promise<EngineSetup> {
  let home = '';
  const past = createRecordsPort(new Map([[DEMO, demoRecords]]), () => ({ HOME: home }));
  const setup = await setupWithRecord([registered], { past });
  home = setup.home;
  return setup;
}

const PAST = archivedIdOf(DEMO, CONVERSATION);

test('a message to a past session that is open elsewhere adopts it, waits across a restart, and is sent when the other program ends', async () => {
  const setup = await setupWithPast();
  const { pid, child } = await openElsewhere(setup);
  await setup.do({ type: 'input.send', sessionId: PAST, text: 'remember' });
  expect(setup.engine.session(PAST)).toMatchObject({
    control: 'elsewhere',
    status: 'sleeping',
    driver: { pid, what: 'an editor' },
    queue: [{ text: 'remember' }],
  });
  await setup.reopen();
  expect(setup.engine.session(PAST)).toMatchObject({ control: 'elsewhere', queue: [{ text: 'remember' }] });
  child.kill('SIGKILL');
  await setup.event(PAST, 'turn.completed');
  expect(setup.events(PAST).findLast((event) => event.type === 'assistant.text')).toMatchObject({ text: expect.stringContaining('from a terminal') });
});

test('a takeover adopts a past session that is open elsewhere', async () => {
  const setup = await setupWithPast();
  const { pid } = await openElsewhere(setup);
  await setup.do({ type: 'session.takeover', sessionId: PAST });
  await setup.event(PAST, 'run.ready');
  expect(isGone(pid)).toBe(true);
});

test('a message to a stopped session that is open elsewhere waits, and is sent when the other program ends', async () => {
  const setup = await setupWithRecord();
  await resume(setup, { prompt: 'hello' });
  await setup.event(MINE, 'turn.completed');
  await setup.do({ type: 'session.stop', sessionId: MINE });
  await setup.event(MINE, 'session.exited');
  const { child } = await openElsewhere(setup);
  await setup.event(MINE, 'driver.found');
  await setup.do({ type: 'input.send', sessionId: MINE, text: 'remember' });
  expect(setup.engine.session(MINE)).toMatchObject({ status: 'sleeping', statusCause: { cause: 'input.accepted' } });
  child.kill('SIGKILL');
  await setup.event(MINE, 'turn.completed', (event) => event.seq > setup.events(MINE).findIndex(({ type }) => type === 'driver.gone'));
});

test('holders of conversations that none of our sessions has are listed too', async () => {
  const setup = await setupWithRecord();
  expect(await setup.engine.holders()).toEqual([]);
  const { pid } = await openElsewhere(setup);
  const holder = await waitFor('the next sweep', async () => (await setup.engine.holders())[0]);
  expect(holder).toEqual({ agent: DEMO, agentSessionId: CONVERSATION, pid, what: 'an editor' });
});
