import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { createEngine, type EngineBench, type EngineOptions } from '../../test/support/engine/test-engine.ts';
import { printedProblems } from '../../test/support/problems.ts';
import { standInAdapter } from '../../test/support/stand-in-adapter/index.ts';
import { waitFor } from '../../test/support/wait-for.ts';
import type { Adapter } from '../agents/adapter.ts';
import { AGENTS } from '../agents/index.ts';
import { openHost } from '../host/open-host.ts';
import { type RebuildReport, rebuildJournal } from '../journal/rebuild/rebuild.ts';
import type { GoOn } from '../protocol/command.ts';
import { BESIDE_THE_LINES, Event, type EventOf, HUMAN_EVENTS } from '../protocol/event.ts';
import { AgentId, type CommandId, type SessionId } from '../protocol/ids.ts';
import { refoldWith } from './loop/refold-run.ts';

/** An event, without what is documented as lost: when a line was seen. */
const content = ({ at, atKnown: _known, ...event }: Event): unknown => (event.src === undefined ? { ...event, at } : event);
const contents = (events: readonly Event[]) => events.map(content);

interface Beginning {
  readonly agent?: string;
  readonly prompt?: string;
  readonly goOn?: GoOn;
}

async function create(bench: EngineBench, { agent = 'demo', ...more }: Beginning): Promise<SessionId> {
  const sessionId = `s-${randomUUID()}` as SessionId;
  await bench.do({ type: 'session.create', sessionId, agent: agent as AgentId, cwd: bench.folder, options: {}, ...more });
  return sessionId;
}

async function send(bench: EngineBench, sessionId: SessionId, text: string, mode?: 'steer'): Promise<CommandId> {
  const commandId = randomUUID() as CommandId;
  await bench.do({ type: 'input.send', commandId, sessionId, text, ...(mode && { mode }) });
  return commandId;
}

const completed = (bench: EngineBench, id: SessionId) => bench.events(id).filter((event) => event.type === 'turn.completed').length;
const turns = (bench: EngineBench, id: SessionId, count: number): Promise<boolean> =>
  waitFor(`${count} turns in ${id}`, () => completed(bench, id) >= count && bench.engine.session(id)?.status === 'idle');

async function allow(bench: EngineBench, sessionId: SessionId, after = 0): Promise<EventOf<'permission.requested'>> {
  const asked = await bench.event(sessionId, 'permission.requested', ({ seq }) => seq > after);
  await bench.do({ type: 'permission.answer', sessionId, requestId: asked.requestId, behavior: 'allow' });
  return asked;
}

async function rest(bench: EngineBench, sessionId: SessionId, type: 'session.sleep' | 'session.stop'): Promise<void> {
  await bench.do({ type, sessionId });
  await bench.event(sessionId, 'session.exited');
}

const mirrorOf = (bench: EngineBench, id: SessionId): string => join(bench.dataDir, 'sessions', id, 'people.ndjson');

/** Closes the engine, damages the journal, and makes it again from the files. */
async function rebuilt(bench: EngineBench, damage: () => void = () => undefined, adapters: readonly Adapter[] = AGENTS): Promise<RebuildReport> {
  await bench.close();
  damage();
  truncateSync(join(bench.dataDir, 'journal.db'), 100);
  const host = openHost({ problems: printedProblems(), dataDir: bench.dataDir });
  const report = await rebuildJournal({ dataDir: bench.dataDir, refold: refoldWith(new Map(adapters.map((agent) => [agent.id, agent]))), now: new Date() });
  await host.close();
  return report;
}

/** What a session is, without the times of lines. */
const shown = (bench: EngineBench, id: SessionId) => {
  const { updatedAt: _, ...session } = bench.engine.session(id)!;
  return { ...session, pid: undefined, rssBytes: undefined };
};

/** After a rebuild every event and every session must be as before. */
async function expectSame(bench: EngineBench, ids: readonly SessionId[], changed: EngineOptions = {}): Promise<void> {
  const before = ids.map((id) => ({ events: contents(bench.events(id)), session: shown(bench, id) }));
  expect(await rebuilt(bench, undefined, changed.adapters)).toMatchObject({ sessions: ids.length, skipped: [], unreadableLines: 0 });
  await bench.reopen(changed);
  expect(ids.map((id) => ({ events: contents(bench.events(id)), session: shown(bench, id) }))).toEqual(before);
}

test('[R83] a damaged journal is rebuilt from the files with everything in it, once, and the session goes on', async () => {
  const bench = await createEngine();
  const id = await create(bench, { prompt: 'write' });
  await allow(bench, id);
  await turns(bench, id, 1);
  await bench.do({ type: 'session.describe', sessionId: id, title: 'Kept' });
  await expectSame(bench, [id]);
  await expectSame(bench, [id]);
  expect(bench.engine.session(id)).toMatchObject({ title: 'Kept', status: 'idle' });
  await send(bench, id, 'hello');
  await turns(bench, id, 2);
});

test('[R193] what slept sleeps after a rebuild, what was stopped is stopped, and nobody has died', async () => {
  const bench = await createEngine();
  const [slept, stopped] = [await create(bench, { prompt: 'hello' }), await create(bench, { prompt: 'hello' })];
  await turns(bench, slept, 1);
  await turns(bench, stopped, 1);
  await rest(bench, slept, 'session.sleep');
  await rest(bench, stopped, 'session.stop');
  const exits = [slept, stopped].map((id) => bench.events(id).find((event) => event.type === 'session.exited'));
  expect(exits).toMatchObject([
    { reason: 'sleep', code: 0 },
    { reason: 'stop', code: 0 },
  ]);
  await expectSame(bench, [slept, stopped]);
  await send(bench, slept, 'hello');
  await turns(bench, slept, 2);
});

test('what was stopped in mid-turn stays stopped after a rebuild with what waits, and what died has died as often', async () => {
  const bench = await createEngine();
  const [stopped, died] = [await create(bench, { prompt: 'write' }), await create(bench, { prompt: 'crash' })];
  await bench.event(stopped, 'permission.requested');
  await send(bench, stopped, 'and what waits');
  await rest(bench, stopped, 'session.stop');
  await waitFor('the dead one', () => bench.engine.session(died)?.status === 'failed');
  await expectSame(bench, [stopped, died]);
});

test('a queue that was edited, moved and steered is told with its own words, each in its own turn', async () => {
  const bench = await createEngine();
  const id = await create(bench, { prompt: 'write' });
  const asked = await bench.event(id, 'permission.requested');
  const second = await send(bench, id, 'the first words');
  const third = await send(bench, id, 'hello from the third');
  const joins = await send(bench, id, 'and hurry');
  await bench.do({ type: 'input.edit', sessionId: id, target: second, text: 'x'.repeat(100_000) });
  await bench.do({ type: 'input.move', sessionId: id, target: third, before: second });
  await bench.do({ type: 'input.steer', sessionId: id, target: joins });
  await send(bench, id, 'at once', 'steer');
  await bench.do({ type: 'permission.answer', sessionId: id, requestId: asked.requestId, behavior: 'allow' });
  await turns(bench, id, 3);
  const said = bench.events(id).flatMap((event) => (event.type === 'user.message' ? [event.commandId] : []));
  expect(said.slice(-2)).toEqual([third, second]);
  await expectSame(bench, [id]);
});

test('copies, handovers and what they took over come back as they were', async () => {
  const bench = await createEngine();
  const id = await create(bench, { prompt: 'echo what was before' });
  await turns(bench, id, 1);
  const copy = await create(bench, { goOn: { how: 'fork', sessionId: id }, prompt: 'remember' });
  await turns(bench, copy, 1);
  const extract = await create(bench, { goOn: { how: 'handover', sessionId: id, summary: 'extract' }, prompt: 'remember' });
  await turns(bench, extract, 1);
  const asked = await create(bench, { goOn: { how: 'handover', sessionId: id, summary: 'agent' }, prompt: 'remember' });
  await bench.event(asked, 'handover.ready');
  await turns(bench, asked, 2);
  await expectSame(bench, [id, copy, extract, asked]);
});

test('wishes, several runs, and what the agent forgot or we noticed come back as they were', async () => {
  const bench = await createEngine();
  const id = await create(bench, { prompt: 'hello' });
  await turns(bench, id, 1);
  await bench.do({ type: 'thinking.set', sessionId: id, thinking: 'high' });
  await bench.event(id, 'thinking.changed');
  await rest(bench, id, 'session.sleep');
  rmSync(join(bench.home, '.signalbox-demo'), { recursive: true });
  await send(bench, id, 'write');
  await allow(bench, id);
  await turns(bench, id, 2);
  expect(bench.events(id).map(({ type }) => type)).toContain('context.forgotten');
  await expectSame(bench, [id]);
  await expectSame(bench, [id]);
});

const mute: Adapter = { ...standInAdapter, id: AgentId.parse('mute'), title: 'Mute', locate: { variable: 'MUTE_PATH', names: [], versionArgs: ['--version'] } };
const MUTE_PATH = fileURLToPath(new URL('../../test/fixtures/never-speaks.sh', import.meta.url));

test('a start that could not be, and one that stays silent, are told as they were', async () => {
  const options = { adapters: [mute], env: { MUTE_PATH }, silentStartMs: 300 };
  const bench = await createEngine(options);
  const id = await create(bench, { agent: 'mute' });
  await bench.event(id, 'notice.shown');
  await rest(bench, id, 'session.stop');
  await bench.reopen({ env: { MUTE_PATH: '/nowhere' } });
  await send(bench, id, 'hello');
  await bench.event(id, 'session.exited', ({ reason }) => reason === 'could-not-start');
  expect(bench.engine.session(id)?.status).toBe('failed');
  await expectSame(bench, [id], options);
});

test('an agent that ended while no server lived is concluded after a rebuild, as it would have been without', async () => {
  const bench = await createEngine();
  const id = await create(bench, { prompt: 'write' });
  const { run } = await bench.event(id, 'run.opened');
  await bench.event(id, 'permission.requested');
  const pid = await waitFor('its pid', () => bench.engine.session(id)?.pid);
  await bench.close();
  process.kill(pid, 'SIGKILL');
  await waitFor('its exit status', () => existsSync(join(bench.dataDir, 'sessions', id, run, 'exit')));
  await rebuilt(bench);
  await bench.reopen();
  expect(await bench.event(id, 'session.exited')).toMatchObject({ run, reason: 'died', code: 137 });
  expect(bench.events(id).filter((event) => event.type === 'turn.completed')).toMatchObject([{ stopReason: 'agent_exited' }]);
});

const isOfOlderMirror = (event: Event): boolean => HUMAN_EVENTS.has(event.type) || event.inherited === true;

/** Leaves in a mirror only what older versions wrote there. */
function makeOlder(path: string): void {
  const lines = readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '');
  const isKept = (line: string): boolean => {
    const { event } = JSON.parse(line);
    return event === undefined || isOfOlderMirror(Event.parse(event));
  };
  writeFileSync(path, `${lines.filter(isKept).join('\n')}\n`);
}

test('from the mirror of an older version ends are told by what people decided and by the exit codes', async () => {
  const bench = await createEngine();
  const [slept, stopped] = [await create(bench, { prompt: 'hello' }), await create(bench, { prompt: 'write' })];
  await turns(bench, slept, 1);
  await rest(bench, slept, 'session.sleep');
  await bench.do({ type: 'session.wake', sessionId: slept });
  await waitFor('it to be awake', () => bench.engine.session(slept)?.status === 'idle');
  await send(bench, slept, 'hello');
  await turns(bench, slept, 2);
  await bench.event(stopped, 'permission.requested');
  await rest(bench, stopped, 'session.stop');
  const told = (id: SessionId) =>
    contents(bench.events(id).map((event) => ({ ...event, at: '', seq: 1 }))).filter((event) => !BESIDE_THE_LINES.has((event as Event).type));
  const before = [slept, stopped].map((id) => [told(id), bench.engine.session(id)?.status]);
  await rebuilt(bench, () => [slept, stopped].map((id) => makeOlder(mirrorOf(bench, id))));
  await bench.reopen();
  await waitFor('the end that the new server concludes', () => bench.engine.session(stopped)?.status === 'ended');
  expect([slept, stopped].map((id) => [told(id), bench.engine.session(id)?.status])).toEqual(before);
});
