import { randomUUID } from 'node:crypto';
import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { demoRecords, saidElsewhere } from '../../../test/support/agents/demo-records.ts';
import { createRecordsPort, type RecordsPort } from '../../../test/support/engine/records-port.ts';
import { ADA, createEngine, type EngineBench, type EngineOptions } from '../../../test/support/engine/test-engine.ts';
import { waitFor } from '../../../test/support/wait-for.ts';
import type { Adapter } from '../../agents/adapter.ts';
import { archivedIdOf } from '../../agents/archived-id.ts';
import { demo } from '../../agents/demo/index.ts';
import type { Command } from '../../protocol/command.ts';
import type { Event } from '../../protocol/event.ts';
import type { AgentId, CommandId, SessionId } from '../../protocol/ids.ts';
import { LIMITS } from '../../protocol/limits.ts';

const DEMO = 'demo' as AgentId;
const CONVERSATION = 'terminal';
const PAST = archivedIdOf(DEMO, CONVERSATION);

interface Bench extends EngineBench {
  readonly port: RecordsPort;
}

/** A conversation of two turns that was had in a terminal: four events, and none of them is in the journal. */
async function withPast(options: EngineOptions = {}, agents: readonly AgentId[] = [DEMO]): Promise<Bench> {
  let home = '';
  const port = createRecordsPort(new Map(agents.map((agent) => [agent, demoRecords])), () => ({ HOME: home }));
  const bench = await createEngine({ past: port, ...options });
  home = bench.home;
  mkdirSync(join(home, '.signalbox-demo'));
  saidElsewhere(home, CONVERSATION, 'one', { cwd: bench.folder });
  saidElsewhere(home, CONVERSATION, 'two');
  return Object.assign(bench, { port });
}

const ask = (bench: Bench, command: object) => bench.engine.submit({ commandId: randomUUID() as CommandId, sessionId: PAST, ...command } as Command, ADA);
const spoken = (events: readonly Event[]) => events.flatMap((event) => (event.type === 'user.message' || event.type === 'assistant.text' ? [event.text] : []));
const typesOf = (bench: Bench) => bench.events(PAST).map((event) => event.type);

test('[R208] a past session is taken up by a message: under its id, behind its numbers, with nothing copied, and the agent remembers', async () => {
  const bench = await withPast();
  const receipt = await bench.do({ type: 'input.send', sessionId: PAST, text: 'remember' });
  expect(receipt).toMatchObject({ sessionId: PAST, seq: 5 });
  await bench.event(PAST, 'turn.completed');
  const [first, ...others] = bench.events(PAST);
  expect(first).toMatchObject({
    seq: 5,
    type: 'session.created',
    base: 4,
    origin: { kind: 'resume', agentSessionId: CONVERSATION },
    owner: 'Ada',
    cwd: bench.folder,
  });
  expect(others.every((event) => event.inherited !== true && event.elsewhere !== true)).toBe(true);
  expect(spoken(others).at(-1)).toContain('asked two');
  expect(bench.engine.session(PAST)).toMatchObject({ title: 'asked one', past: { lastSeq: 4 }, owner: 'Ada', agentSessionId: CONVERSATION });
  expect(bench.port.told).toContainEqual({ agent: DEMO, agentSessionId: CONVERSATION, base: 4 });
});

test('a past session is taken up by a note, without a process, and is ended with a cause that is true', async () => {
  const bench = await withPast();
  await bench.do({ type: 'session.describe', sessionId: PAST, star: true });
  await bench.do({ type: 'item.mark', sessionId: PAST, seq: 2, item: 'one-said', note: 'here' });
  await bench.engine.drain();
  expect(typesOf(bench)).toEqual(['session.created', 'meta.changed', 'session.status', 'item.marked']);
  expect(bench.engine.session(PAST)).toMatchObject({ star: true, status: 'ended', statusCause: { seq: 5, cause: 'session.created' }, control: 'none' });
  await bench.reopen();
  expect(bench.engine.session(PAST)).toMatchObject({ star: true, status: 'ended', past: { lastSeq: 4 }, lastSeq: 8 });
  await bench.do({ type: 'input.send', sessionId: PAST, text: 'remember' });
  await bench.event(PAST, 'turn.completed');
  expect(spoken(bench.events(PAST)).at(-1)).toContain('asked one');
});

test('what is asked at the same time of a past session takes it up once', async () => {
  const bench = await withPast();
  const answers = await Promise.all([
    ask(bench, { type: 'session.describe', star: true }),
    ask(bench, { type: 'session.describe', tags: ['t'] }),
    ask(bench, {
      type: 'session.create',
      sessionId: 'new',
      agent: DEMO,
      cwd: bench.folder,
      options: {},
      goOn: { how: 'resume', agentSessionId: CONVERSATION, takeUp: true },
    }),
  ]);
  expect(answers.filter((answer) => 'seq' in answer).length).toBeGreaterThanOrEqual(2);
  expect(typesOf(bench).filter((type) => type === 'session.created')).toEqual(['session.created']);
  expect(bench.engine.session(PAST)).toMatchObject({ star: true, tags: ['t'] });
});

test('[R209] what cannot work is refused in words, and nothing is taken up', async () => {
  const bench = await withPast({ maxLive: 0 });
  const outside = archivedIdOf(DEMO, 'outside');
  saidElsewhere(bench.home, 'outside', 'one', { cwd: '/' });
  const refusals = [
    [{ type: 'input.send', text: 'hello' }, 'too-many-live'],
    [{ type: 'session.wake' }, 'too-many-live'],
    [{ type: 'session.delete' }, 'not-supported'],
    [{ type: 'item.mark', seq: 99, item: 'x', star: true }, 'not-found'],
    [{ type: 'session.takeover' }, 'conflict'],
    [{ type: 'input.send', sessionId: outside, text: 'hello' }, 'not-allowed-folder'],
    [{ type: 'input.send', sessionId: archivedIdOf(DEMO, 'nobody'), text: 'hello' }, 'not-found'],
    [{ type: 'session.create', agent: DEMO, cwd: bench.folder, options: {} }, 'conflict'],
  ] as const;
  for (const [command, refused] of refusals) expect(await ask(bench, command)).toMatchObject({ refused });
  expect(bench.engine.sessions()).toEqual([]);
  expect(await ask(bench, { type: 'session.describe', sessionId: outside, star: true })).toMatchObject({ seq: 3 });
  expect(await ask(bench, { type: 'input.send', sessionId: outside, text: 'hello' })).toMatchObject({ refused: 'not-allowed-folder' });
});

test('going on with a conversation by its own id takes up the past session that it is; under an id of one’s own it is a copy, as before', async () => {
  const bench = await withPast();
  const goOn = { how: 'resume', agentSessionId: CONVERSATION, takeUp: true } as const;
  const asked = {
    type: 'session.create',
    commandId: 'create:new' as CommandId,
    sessionId: 'new' as SessionId,
    agent: DEMO,
    cwd: bench.folder,
    options: {},
    prompt: 'remember',
    goOn,
  } as const;
  const receipt = await bench.do(asked);
  expect(receipt).toMatchObject({ sessionId: PAST, seq: 5 });
  await bench.event(PAST, 'turn.completed');
  expect(await bench.do(asked)).toEqual(receipt);
  expect(bench.engine.session('new' as SessionId)).toBeUndefined();
  expect(await ask(bench, { ...asked, commandId: 'again', sessionId: 'again' })).toMatchObject({ refused: 'conflict' });
  const copied = await withPast();
  const { takeUp: _, ...copy } = goOn;
  await copied.do({ ...asked, cwd: copied.folder, goOn: copy });
  expect(await ask(copied, { type: 'session.describe', star: true })).toMatchObject({ refused: 'conflict' });
  expect(spoken(copied.events('new' as SessionId).filter((event) => event.inherited))).toEqual(['asked one', 'answer to one', 'asked two', 'answer to two']);
});

for (const isTakenUp of [false, true]) {
  test(`a copy from a message of a past session that ${isTakenUp ? 'was' : 'was not'} taken up shows and knows what was said up to there`, async () => {
    const bench = await withPast();
    if (isTakenUp) await bench.do({ type: 'session.describe', sessionId: PAST, star: true });
    const child = 'child' as SessionId;
    await bench.do({
      type: 'session.create',
      sessionId: child,
      agent: DEMO,
      cwd: bench.folder,
      options: {},
      prompt: 'remember',
      goOn: { how: 'fork', sessionId: PAST, at: 2 },
    });
    await bench.event(child, 'turn.completed');
    const events = bench.events(child);
    expect(spoken(events.filter((event) => event.inherited))).toEqual(['asked one', 'answer to one']);
    expect(spoken(events).at(-1)).toBe('You said, in this order:\n\n1. asked one');
    expect(bench.engine.session(child)?.parent).toEqual({ sessionId: PAST, seq: 2 });
    expect(bench.engine.session(PAST) !== undefined).toBe(isTakenUp);
  });
}

test('a past session is handed over without being taken up', async () => {
  const bench = await withPast();
  const child = 'child' as SessionId;
  const goOn = { how: 'handover', sessionId: PAST, summary: 'extract' } as const;
  await bench.do({ type: 'session.create', sessionId: child, agent: DEMO, cwd: bench.folder, options: {}, prompt: 'hello', goOn });
  expect((await bench.event(child, 'handover.ready')).text).toContain('asked one');
  expect(bench.engine.session(PAST)).toBeUndefined();
});

test('a conversation that a closed session had stays closed when it is taken up, and is named as closed', async () => {
  const bench = await withPast();
  await bench.do({
    type: 'session.create',
    sessionId: 's1' as SessionId,
    agent: DEMO,
    cwd: bench.folder,
    options: {},
    goOn: { how: 'resume', agentSessionId: CONVERSATION },
  });
  await bench.do({ type: 'session.describe', sessionId: 's1' as SessionId, closed: true });
  expect(bench.engine.closedConversations()).toEqual([CONVERSATION]);
  await bench.do({ type: 'session.delete', sessionId: 's1' as SessionId });
  await bench.engine.drain();
  expect(bench.engine.closedConversations()).toEqual([CONVERSATION]);
  await bench.do({ type: 'session.describe', sessionId: PAST, star: true });
  expect(bench.engine.session(PAST)).toMatchObject({ closed: true });
});

const OTHER = 'other' as AgentId;

/** An agent that is run, and tells how often it was looked who holds its conversations. */
function watched() {
  const looks = { count: 0 };
  const folder = () => {
    looks.count += 1;
    return '/nowhere';
  };
  const adapter: Adapter = { ...demo, id: OTHER, registry: { folder, pidOf: () => undefined, read: () => undefined } };
  return { looks, adapter };
}

test('a past session of an agent that is only read takes notes, also after a restart, and whatever needs a process is refused in words', async () => {
  const warned: unknown[] = [];
  const warn = (facts: object, words: string) => void warned.push({ facts, words });
  const { looks, adapter } = watched();
  const bench = await withPast({ adapters: [adapter], log: { info: () => {}, warn, error: warn } }, [DEMO, OTHER]);
  expect(await ask(bench, { type: 'input.send', text: 'hello' })).toMatchObject({
    refused: 'agent-unavailable',
    message: expect.stringContaining('cannot run demo'),
  });
  await bench.do({ type: 'session.describe', sessionId: PAST, star: true, title: 'Mine', tags: ['t'], note: 'n' });
  await bench.do({ type: 'item.mark', sessionId: PAST, seq: 2, item: 'one-said', note: 'here' });
  await bench.reopen();
  saidElsewhere(bench.home, CONVERSATION, 'three');
  bench.engine.recordGrown(DEMO, CONVERSATION);
  await bench.engine.drain();
  expect(spoken(bench.events(PAST))).toEqual(['asked three', 'answer to three']);
  expect(bench.engine.session(PAST)).toMatchObject({ star: true, title: 'Mine', status: 'ended', control: 'none' });
  const needing = [
    { type: 'input.send', text: 'hello' },
    { type: 'session.wake' },
    { type: 'mode.set', mode: 'plan' },
    { type: 'model.set', model: 'm' },
    { type: 'files.rewind', seq: 1 },
    { type: 'permission.answer', requestId: 'r', decision: 'allow', mode: 'plan' },
  ];
  for (const command of needing) expect(await ask(bench, command)).toMatchObject({ refused: 'agent-unavailable' });
  await bench.do({ type: 'session.describe', sessionId: archivedIdOf(OTHER, CONVERSATION), star: true });
  const before = looks.count;
  await waitFor('a look at who holds the conversations of all sessions', () => looks.count > before);
  expect(warned).toEqual([]);
});

test('a session that was taken up is not deleted: its record would bring it back', async () => {
  const bench = await withPast();
  await bench.do({ type: 'input.send', sessionId: PAST, text: 'remember' });
  await bench.event(PAST, 'turn.completed');
  expect(await ask(bench, { type: 'session.delete' })).toMatchObject({ refused: 'not-supported', message: expect.stringContaining('Archive it') });
  expect(bench.engine.session(PAST)).toMatchObject({ control: 'here' });
});

test('a record of which nothing could be read yet is not taken up', async () => {
  const bench = await withPast();
  const empty = archivedIdOf(DEMO, 'empty');
  appendFileSync(join(bench.home, '.signalbox-demo', 'empty.jsonl'), `${JSON.stringify({ type: 'session', id: 'empty', cwd: bench.folder })}\n`);
  expect(await ask(bench, { type: 'session.describe', sessionId: empty, star: true })).toMatchObject({ refused: 'conflict' });
  const goOn = { how: 'resume', agentSessionId: 'empty', takeUp: true };
  const create = { type: 'session.create', sessionId: 'new', agent: DEMO, cwd: bench.folder, options: {}, goOn };
  expect(await ask(bench, create)).toMatchObject({ refused: 'conflict', message: expect.stringContaining('read yet') });
  expect(bench.engine.sessions()).toEqual([]);
});

test('what is copied or handed over of a past session is the way that was taken, or the one that leads to the event that was named', async () => {
  const bench = await withPast();
  saidElsewhere(bench.home, 'ways', 'one', { cwd: bench.folder });
  saidElsewhere(bench.home, 'ways', 'left', { parent: 'one-said' });
  saidElsewhere(bench.home, 'ways', 'taken', { parent: 'one-said' });
  const goOn = { how: 'fork', sessionId: archivedIdOf(DEMO, 'ways') } as const;
  const create = { type: 'session.create', agent: DEMO, cwd: bench.folder, options: {} } as const;
  const inherited = (id: SessionId) => spoken(bench.events(id).filter((event) => event.inherited));
  const [end, beside, over] = ['end', 'beside', 'over'] as SessionId[] as [SessionId, SessionId, SessionId];
  await bench.do({ ...create, sessionId: end, goOn });
  expect(inherited(end)).toEqual(['asked one', 'answer to one', 'asked taken', 'answer to taken']);
  await bench.do({ ...create, sessionId: beside, goOn: { ...goOn, at: 4 } });
  expect(inherited(beside)).toEqual(['asked one', 'answer to one', 'asked left', 'answer to left']);
  await bench.do({ ...create, sessionId: over, goOn: { ...goOn, how: 'handover', summary: 'extract' } });
  const { text } = await bench.event(over, 'handover.ready');
  expect([text.includes('asked taken'), text.includes('left')]).toEqual([true, false]);
});

test('of a very long past only what can be shown is read, and it is said that there was more', async () => {
  const bench = await withPast();
  saidElsewhere(bench.home, 'long', '0', { cwd: bench.folder });
  for (let turn = 1; turn <= 2 * LIMITS.inheritedEvents; turn += 1) saidElsewhere(bench.home, 'long', `${turn}`);
  const child = 'child' as SessionId;
  const goOn = { how: 'fork', sessionId: archivedIdOf(DEMO, 'long') } as const;
  await bench.do({ type: 'session.create', sessionId: child, agent: DEMO, cwd: bench.folder, options: {}, goOn });
  const inherited = bench.events(child).filter((event) => event.inherited);
  expect(inherited).toHaveLength(LIMITS.inheritedEvents + 1);
  expect(inherited[0]).toMatchObject({ type: 'notice.shown', text: expect.stringMatching(/^Earlier events/) });
  expect(spoken(inherited).at(-1)).toBe(`answer to ${2 * LIMITS.inheritedEvents}`);
  expect(bench.port.read).toBeLessThan(LIMITS.inheritedEvents + 10);
});
