import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { createEngine, type EngineOptions, type EngineSetup } from '../../test/support/engine/test-engine.ts';
import { problemsToConsole } from '../../test/support/problems.ts';
import { standInAdapter } from '../../test/support/stand-in-adapter/index.ts';
import { waitFor } from '../../test/support/wait-for.ts';
import { AGENTS } from '../agents/index.ts';
import type { Adapter } from '../agents/port/adapter.ts';
import { openHost } from '../host/open-host.ts';
import { type RebuildReport, rebuildJournal } from '../journal/rebuild/rebuild.ts';
import type { ContinueFrom } from '../protocol/command.ts';
import { Event, type EventOf, HUMAN_EVENTS, SERVER_EVENTS } from '../protocol/event.ts';
import { AgentId, type CommandId, type SessionId } from '../protocol/ids.ts';
import { refoldWith } from './rebuild/refold-run.ts';

/** An event without what a rebuild is documented to lose: when a line was seen. */
const content = ({ at, atKnown: _known, ...event }: Event): unknown => (event.src === undefined ? { ...event, at } : event);
const contents = (events: readonly Event[]) => events.map(content);

interface CreateOptions {
  readonly agent?: string;
  readonly prompt?: string;
  readonly goOn?: ContinueFrom;
}

async function create(setup: EngineSetup, { agent = 'demo', ...more }: CreateOptions): Promise<SessionId> {
  const sessionId = `s-${randomUUID()}` as SessionId;
  await setup.do({ type: 'session.create', sessionId, agent: agent as AgentId, cwd: setup.folder, options: {}, ...more });
  return sessionId;
}

async function send(setup: EngineSetup, sessionId: SessionId, text: string, mode?: 'steer'): Promise<CommandId> {
  const commandId = randomUUID() as CommandId;
  await setup.do({ type: 'input.send', commandId, sessionId, text, ...(mode && { mode }) });
  return commandId;
}

const completed = (setup: EngineSetup, id: SessionId) => setup.events(id).filter((event) => event.type === 'turn.completed').length;
const turnsDone = (setup: EngineSetup, id: SessionId, count: number): Promise<boolean> =>
  waitFor(`${count} turns in ${id}`, () => completed(setup, id) >= count && setup.engine.session(id)?.status === 'idle');

async function allow(setup: EngineSetup, sessionId: SessionId, after = 0): Promise<EventOf<'permission.requested'>> {
  const asked = await setup.event(sessionId, 'permission.requested', ({ seq }) => seq > after);
  await setup.do({ type: 'permission.answer', sessionId, requestId: asked.requestId, behavior: 'allow' });
  return asked;
}

async function endRun(setup: EngineSetup, sessionId: SessionId, type: 'session.sleep' | 'session.stop'): Promise<void> {
  await setup.do({ type, sessionId });
  await setup.event(sessionId, 'session.exited');
}

const mirrorOf = (setup: EngineSetup, id: SessionId): string => join(setup.dataDir, 'sessions', id, 'people.ndjson');

/** Closes the engine, damages the journal, and rebuilds it from the files. */
async function rebuilt(setup: EngineSetup, damage: () => void = () => undefined, adapters: readonly Adapter[] = AGENTS): Promise<RebuildReport> {
  await setup.close();
  damage();
  truncateSync(join(setup.dataDir, 'journal.db'), 100);
  const host = openHost({ problems: problemsToConsole(), dataDir: setup.dataDir });
  const report = await rebuildJournal({ dataDir: setup.dataDir, refold: refoldWith(new Map(adapters.map((agent) => [agent.id, agent]))), now: new Date() });
  await host.close();
  return report;
}

/** A session's summary, without the times of lines and what only a live process has. */
const shown = (setup: EngineSetup, id: SessionId) => {
  const { updatedAt: _, finished, ...session } = setup.engine.session(id)!;
  return { ...session, finished: finished?.seq, pid: undefined, rssBytes: undefined };
};

/** Rebuilds, and expects every event and every session to be the same as before. */
async function expectSame(setup: EngineSetup, ids: readonly SessionId[], changed: EngineOptions = {}): Promise<void> {
  const before = ids.map((id) => ({ events: contents(setup.events(id)), session: shown(setup, id) }));
  expect(await rebuilt(setup, undefined, changed.adapters)).toMatchObject({ sessions: ids.length, skipped: [], unreadableLines: 0 });
  await setup.reopen(changed);
  expect(ids.map((id) => ({ events: contents(setup.events(id)), session: shown(setup, id) }))).toEqual(before);
}

test('[R83] a damaged journal is rebuilt completely from the files, without duplicates, and the session continues', async () => {
  const setup = await createEngine();
  const id = await create(setup, { prompt: 'write' });
  await allow(setup, id);
  await turnsDone(setup, id, 1);
  await setup.do({ type: 'session.describe', sessionId: id, title: 'Kept' });
  await expectSame(setup, [id]);
  await expectSame(setup, [id]);
  expect(setup.engine.session(id)).toMatchObject({ title: 'Kept', status: 'idle' });
  await send(setup, id, 'hello');
  await turnsDone(setup, id, 2);
});

test('[R193] after a rebuild, sleeping sessions sleep, stopped sessions are stopped, and none has failed', async () => {
  const setup = await createEngine();
  const [slept, stopped] = [await create(setup, { prompt: 'hello' }), await create(setup, { prompt: 'hello' })];
  await turnsDone(setup, slept, 1);
  await turnsDone(setup, stopped, 1);
  await endRun(setup, slept, 'session.sleep');
  await endRun(setup, stopped, 'session.stop');
  const exits = [slept, stopped].map((id) => setup.events(id).find((event) => event.type === 'session.exited'));
  expect(exits).toMatchObject([
    { reason: 'sleep', code: 0 },
    { reason: 'stop', code: 0 },
  ]);
  await expectSame(setup, [slept, stopped]);
  await send(setup, slept, 'hello');
  await turnsDone(setup, slept, 2);
});

test('after a rebuild, a session stopped mid-turn keeps its pending input, and a failed session has the same failures', async () => {
  const setup = await createEngine();
  const [stopped, died] = [await create(setup, { prompt: 'write' }), await create(setup, { prompt: 'crash' })];
  await setup.event(stopped, 'permission.requested');
  await send(setup, stopped, 'and what waits');
  await endRun(setup, stopped, 'session.stop');
  await waitFor('the session to fail', () => setup.engine.session(died)?.status === 'failed');
  await expectSame(setup, [stopped, died]);
});

test('after a rebuild, edited, moved and steered messages have their texts and their turns', async () => {
  const setup = await createEngine();
  const id = await create(setup, { prompt: 'write' });
  const asked = await setup.event(id, 'permission.requested');
  const second = await send(setup, id, 'the first words');
  const third = await send(setup, id, 'hello from the third');
  const joins = await send(setup, id, 'and hurry');
  await setup.do({ type: 'input.edit', sessionId: id, target: second, text: 'x'.repeat(100_000) });
  await setup.do({ type: 'input.move', sessionId: id, target: third, before: second });
  await setup.do({ type: 'input.steer', sessionId: id, target: joins });
  await send(setup, id, 'at once', 'steer');
  await setup.do({ type: 'permission.answer', sessionId: id, requestId: asked.requestId, behavior: 'allow' });
  await turnsDone(setup, id, 3);
  const said = setup.events(id).flatMap((event) => (event.type === 'user.message' ? [event.commandId] : []));
  expect(said.slice(-2)).toEqual([third, second]);
  await expectSame(setup, [id]);
});

test('forks and handovers are rebuilt with their inherited events', async () => {
  const setup = await createEngine();
  const id = await create(setup, { prompt: 'echo what was before' });
  await turnsDone(setup, id, 1);
  const copy = await create(setup, { goOn: { how: 'fork', sessionId: id }, prompt: 'remember' });
  await turnsDone(setup, copy, 1);
  const extract = await create(setup, { goOn: { how: 'handover', sessionId: id, summary: 'extract' }, prompt: 'remember' });
  await turnsDone(setup, extract, 1);
  const asked = await create(setup, { goOn: { how: 'handover', sessionId: id, summary: 'agent' }, prompt: 'remember' });
  await setup.event(asked, 'handover.ready');
  await turnsDone(setup, asked, 2);
  await expectSame(setup, [id, copy, extract, asked]);
});

test('settings, several runs and forgotten turns are rebuilt unchanged', async () => {
  const setup = await createEngine();
  const id = await create(setup, { prompt: 'hello' });
  await turnsDone(setup, id, 1);
  await setup.do({ type: 'thinking.set', sessionId: id, thinking: 'high' });
  await setup.event(id, 'thinking.changed');
  await endRun(setup, id, 'session.sleep');
  rmSync(join(setup.home, '.signalbox-demo'), { recursive: true });
  await send(setup, id, 'write');
  await allow(setup, id);
  await turnsDone(setup, id, 2);
  expect(setup.events(id).map(({ type }) => type)).toContain('context.forgotten');
  await expectSame(setup, [id]);
  await expectSame(setup, [id]);
});

const mute: Adapter = { ...standInAdapter, id: AgentId.parse('mute'), title: 'Mute', locate: { variable: 'MUTE_PATH', names: [], versionArgs: ['--version'] } };
const MUTE_PATH = fileURLToPath(new URL('../../test/fixtures/never-speaks.sh', import.meta.url));

test('a failed start and a silent start are rebuilt unchanged', async () => {
  const options = { adapters: [mute], env: { MUTE_PATH }, silentStartMs: 300 };
  const setup = await createEngine(options);
  const id = await create(setup, { agent: 'mute' });
  await setup.event(id, 'notice.shown');
  await endRun(setup, id, 'session.stop');
  await setup.reopen({ env: { MUTE_PATH: '/nowhere' } });
  await send(setup, id, 'hello');
  await setup.event(id, 'session.exited', ({ reason }) => reason === 'could-not-start');
  expect(setup.engine.session(id)?.status).toBe('failed');
  await expectSame(setup, [id], options);
});

test('an agent that ended while no server was running is concluded after a rebuild, just as after a restart', async () => {
  const setup = await createEngine();
  const id = await create(setup, { prompt: 'write' });
  const { run } = await setup.event(id, 'run.opened');
  await setup.event(id, 'permission.requested');
  const pid = await waitFor('the pid', () => setup.engine.session(id)?.pid);
  await setup.close();
  process.kill(pid, 'SIGKILL');
  await waitFor('its exit status', () => existsSync(join(setup.dataDir, 'sessions', id, run, 'exit')));
  await rebuilt(setup);
  await setup.reopen();
  expect(await setup.event(id, 'session.exited')).toMatchObject({ run, reason: 'died', code: 137 });
  expect(setup.events(id).filter((event) => event.type === 'turn.completed')).toMatchObject([{ stopReason: 'agent_exited' }]);
});

const isInOlderMirrors = (event: Event): boolean => HUMAN_EVENTS.has(event.type) || event.inherited === true;

/** Removes everything from a mirror that older versions did not write. */
function makeOlder(path: string): void {
  const lines = readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '');
  const isKept = (line: string): boolean => {
    const { event } = JSON.parse(line);
    return event === undefined || isInOlderMirrors(Event.parse(event));
  };
  writeFileSync(path, `${lines.filter(isKept).join('\n')}\n`);
}

test('with a mirror of an older version, the ends of runs are derived from commands and exit codes', async () => {
  const setup = await createEngine();
  const [slept, stopped] = [await create(setup, { prompt: 'hello' }), await create(setup, { prompt: 'write' })];
  await turnsDone(setup, slept, 1);
  await endRun(setup, slept, 'session.sleep');
  await setup.do({ type: 'session.wake', sessionId: slept });
  await waitFor('the session to be idle', () => setup.engine.session(slept)?.status === 'idle');
  await send(setup, slept, 'hello');
  await turnsDone(setup, slept, 2);
  await setup.event(stopped, 'permission.requested');
  await endRun(setup, stopped, 'session.stop');
  const comparable = (id: SessionId) =>
    contents(setup.events(id).map((event) => ({ ...event, at: '', seq: 1 }))).filter((event) => !SERVER_EVENTS.has((event as Event).type));
  const before = [slept, stopped].map((id) => [comparable(id), setup.engine.session(id)?.status]);
  await rebuilt(setup, () => [slept, stopped].map((id) => makeOlder(mirrorOf(setup, id))));
  await setup.reopen();
  await waitFor('the new server to conclude the run', () => setup.engine.session(stopped)?.status === 'ended');
  expect([slept, stopped].map((id) => [comparable(id), setup.engine.session(id)?.status])).toEqual(before);
});
