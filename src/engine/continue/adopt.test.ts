import { randomUUID } from 'node:crypto';
import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { demoRecords, saidElsewhere } from '../../../test/support/agents/demo-records.ts';
import { createRecordsPort, type RecordsPort } from '../../../test/support/engine/records-port.ts';
import { ADA, createEngine, type EngineOptions, type EngineSetup } from '../../../test/support/engine/test-engine.ts';
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

interface Bench extends EngineSetup {
  readonly port: RecordsPort;
}

/** A conversation of two turns that was had in a terminal: four events, and none of them is in the journal. */
async function withPast(options: EngineOptions = {}, agents: readonly AgentId[] = [DEMO]): Promise<Bench> {
  let home = '';
  const port = createRecordsPort(new Map(agents.map((agent) => [agent, demoRecords])), () => ({ HOME: home }));
  const setup = await createEngine({ past: port, ...options });
  home = setup.home;
  mkdirSync(join(home, '.signalbox-demo'));
  saidElsewhere(home, CONVERSATION, 'one', { cwd: setup.folder });
  saidElsewhere(home, CONVERSATION, 'two');
  return Object.assign(setup, { port });
}

const ask = (setup: Bench, command: object) => setup.engine.submit({ commandId: randomUUID() as CommandId, sessionId: PAST, ...command } as Command, ADA);
const spoken = (events: readonly Event[]) => events.flatMap((event) => (event.type === 'user.message' || event.type === 'assistant.text' ? [event.text] : []));
const typesOf = (setup: Bench) => setup.events(PAST).map((event) => event.type);

test('[R208] a past session is adopted by a message: under its id, behind its numbers, with nothing copied, and the agent remembers', async () => {
  const setup = await withPast();
  const receipt = await setup.do({ type: 'input.send', sessionId: PAST, text: 'remember' });
  expect(receipt).toMatchObject({ sessionId: PAST, seq: 5 });
  await setup.event(PAST, 'turn.completed');
  const [first, ...others] = setup.events(PAST);
  expect(first).toMatchObject({
    seq: 5,
    type: 'session.created',
    base: 4,
    origin: { kind: 'resume', agentSessionId: CONVERSATION },
    owner: 'Ada',
    cwd: setup.folder,
  });
  expect(others.every((event) => event.inherited !== true && event.elsewhere !== true)).toBe(true);
  expect(spoken(others).at(-1)).toContain('asked two');
  expect(setup.engine.session(PAST)).toMatchObject({ title: 'asked one', past: { lastSeq: 4 }, owner: 'Ada', agentSessionId: CONVERSATION });
  expect(setup.port.adoptions).toContainEqual({ agent: DEMO, agentSessionId: CONVERSATION, base: 4 });
});

test('a past session is adopted by a note, without a process, and is ended with a cause that is true', async () => {
  const setup = await withPast();
  await setup.do({ type: 'session.describe', sessionId: PAST, star: true });
  await setup.do({ type: 'item.mark', sessionId: PAST, seq: 2, item: 'one-said', note: 'here' });
  await setup.engine.drain();
  expect(typesOf(setup)).toEqual(['session.created', 'meta.changed', 'session.status', 'item.marked']);
  expect(setup.engine.session(PAST)).toMatchObject({ star: true, status: 'ended', statusCause: { seq: 5, cause: 'session.created' }, control: 'none' });
  await setup.reopen();
  expect(setup.engine.session(PAST)).toMatchObject({ star: true, status: 'ended', past: { lastSeq: 4 }, lastSeq: 8 });
  await setup.do({ type: 'input.send', sessionId: PAST, text: 'remember' });
  await setup.event(PAST, 'turn.completed');
  expect(spoken(setup.events(PAST)).at(-1)).toContain('asked one');
});

test('what is asked at the same time of a past session takes it up once', async () => {
  const setup = await withPast();
  const answers = await Promise.all([
    ask(setup, { type: 'session.describe', star: true }),
    ask(setup, { type: 'session.describe', tags: ['t'] }),
    ask(setup, {
      type: 'session.create',
      sessionId: 'new',
      agent: DEMO,
      cwd: setup.folder,
      options: {},
      goOn: { how: 'resume', agentSessionId: CONVERSATION, takeUp: true },
    }),
  ]);
  expect(answers.filter((answer) => 'seq' in answer).length).toBeGreaterThanOrEqual(2);
  expect(typesOf(setup).filter((type) => type === 'session.created')).toEqual(['session.created']);
  expect(setup.engine.session(PAST)).toMatchObject({ star: true, tags: ['t'] });
});

test('[R209] what cannot work is refused in words, and nothing is adopted', async () => {
  const setup = await withPast({ maxLive: 0 });
  const outside = archivedIdOf(DEMO, 'outside');
  saidElsewhere(setup.home, 'outside', 'one', { cwd: '/' });
  const refusals = [
    [{ type: 'input.send', text: 'hello' }, 'too-many-live'],
    [{ type: 'session.wake' }, 'too-many-live'],
    [{ type: 'session.delete' }, 'not-supported'],
    [{ type: 'item.mark', seq: 99, item: 'x', star: true }, 'not-found'],
    [{ type: 'session.takeover' }, 'conflict'],
    [{ type: 'input.send', sessionId: outside, text: 'hello' }, 'not-allowed-folder'],
    [{ type: 'input.send', sessionId: archivedIdOf(DEMO, 'nobody'), text: 'hello' }, 'not-found'],
    [{ type: 'session.create', agent: DEMO, cwd: setup.folder, options: {} }, 'conflict'],
  ] as const;
  for (const [command, refused] of refusals) expect(await ask(setup, command)).toMatchObject({ refused });
  expect(setup.engine.sessions()).toEqual([]);
  expect(await ask(setup, { type: 'session.describe', sessionId: outside, star: true })).toMatchObject({ seq: 3 });
  expect(await ask(setup, { type: 'input.send', sessionId: outside, text: 'hello' })).toMatchObject({ refused: 'not-allowed-folder' });
});

test('going on with a conversation by its own id takes up the past session that it is; under an id of one’s own it is a copy, as before', async () => {
  const setup = await withPast();
  const goOn = { how: 'resume', agentSessionId: CONVERSATION, takeUp: true } as const;
  const asked = {
    type: 'session.create',
    commandId: 'create:new' as CommandId,
    sessionId: 'new' as SessionId,
    agent: DEMO,
    cwd: setup.folder,
    options: {},
    prompt: 'remember',
    goOn,
  } as const;
  const receipt = await setup.do(asked);
  expect(receipt).toMatchObject({ sessionId: PAST, seq: 5 });
  await setup.event(PAST, 'turn.completed');
  expect(await setup.do(asked)).toEqual(receipt);
  expect(setup.engine.session('new' as SessionId)).toBeUndefined();
  expect(await ask(setup, { ...asked, commandId: 'again', sessionId: 'again' })).toMatchObject({ refused: 'conflict' });
  const copied = await withPast();
  const { takeUp: _, ...copy } = goOn;
  await copied.do({ ...asked, cwd: copied.folder, goOn: copy });
  expect(await ask(copied, { type: 'session.describe', star: true })).toMatchObject({ refused: 'conflict' });
  expect(spoken(copied.events('new' as SessionId).filter((event) => event.inherited))).toEqual(['asked one', 'answer to one', 'asked two', 'answer to two']);
});

for (const isTakenUp of [false, true]) {
  test(`a copy from a message of a past session that ${isTakenUp ? 'was' : 'was not'} taken up shows and knows what was said up to there`, async () => {
    const setup = await withPast();
    if (isTakenUp) await setup.do({ type: 'session.describe', sessionId: PAST, star: true });
    const child = 'child' as SessionId;
    await setup.do({
      type: 'session.create',
      sessionId: child,
      agent: DEMO,
      cwd: setup.folder,
      options: {},
      prompt: 'remember',
      goOn: { how: 'fork', sessionId: PAST, at: 2 },
    });
    await setup.event(child, 'turn.completed');
    const events = setup.events(child);
    expect(spoken(events.filter((event) => event.inherited))).toEqual(['asked one', 'answer to one']);
    expect(spoken(events).at(-1)).toBe('You said, in this order:\n\n1. asked one');
    expect(setup.engine.session(child)?.parent).toEqual({ sessionId: PAST, seq: 2 });
    expect(setup.engine.session(PAST) !== undefined).toBe(isTakenUp);
  });
}

test('a past session is handed over without being adopted', async () => {
  const setup = await withPast();
  const child = 'child' as SessionId;
  const goOn = { how: 'handover', sessionId: PAST, summary: 'extract' } as const;
  await setup.do({ type: 'session.create', sessionId: child, agent: DEMO, cwd: setup.folder, options: {}, prompt: 'hello', goOn });
  expect((await setup.event(child, 'handover.ready')).text).toContain('asked one');
  expect(setup.engine.session(PAST)).toBeUndefined();
});

test('a conversation that a closed session had stays closed when it is adopted, and is named as closed', async () => {
  const setup = await withPast();
  await setup.do({
    type: 'session.create',
    sessionId: 's1' as SessionId,
    agent: DEMO,
    cwd: setup.folder,
    options: {},
    goOn: { how: 'resume', agentSessionId: CONVERSATION },
  });
  await setup.do({ type: 'session.describe', sessionId: 's1' as SessionId, closed: true });
  expect(setup.engine.closedConversations()).toEqual([CONVERSATION]);
  await setup.do({ type: 'session.delete', sessionId: 's1' as SessionId });
  await setup.engine.drain();
  expect(setup.engine.closedConversations()).toEqual([CONVERSATION]);
  await setup.do({ type: 'session.describe', sessionId: PAST, star: true });
  expect(setup.engine.session(PAST)).toMatchObject({ closed: true });
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
  const setup = await withPast({ adapters: [adapter], log: { info: () => {}, warn, error: warn } }, [DEMO, OTHER]);
  expect(await ask(setup, { type: 'input.send', text: 'hello' })).toMatchObject({
    refused: 'agent-unavailable',
    message: expect.stringContaining('cannot run demo'),
  });
  await setup.do({ type: 'session.describe', sessionId: PAST, star: true, title: 'Mine', tags: ['t'], note: 'n' });
  await setup.do({ type: 'item.mark', sessionId: PAST, seq: 2, item: 'one-said', note: 'here' });
  await setup.reopen();
  saidElsewhere(setup.home, CONVERSATION, 'three');
  setup.engine.recordGrown(DEMO, CONVERSATION);
  await setup.engine.drain();
  expect(spoken(setup.events(PAST))).toEqual(['asked three', 'answer to three']);
  expect(setup.engine.session(PAST)).toMatchObject({ star: true, title: 'Mine', status: 'ended', control: 'none' });
  const needing = [
    { type: 'input.send', text: 'hello' },
    { type: 'session.wake' },
    { type: 'mode.set', mode: 'plan' },
    { type: 'model.set', model: 'm' },
    { type: 'files.rewind', seq: 1 },
    { type: 'permission.answer', requestId: 'r', decision: 'allow', mode: 'plan' },
  ];
  for (const command of needing) expect(await ask(setup, command)).toMatchObject({ refused: 'agent-unavailable' });
  await setup.do({ type: 'session.describe', sessionId: archivedIdOf(OTHER, CONVERSATION), star: true });
  const before = looks.count;
  await waitFor('a look at who holds the conversations of all sessions', () => looks.count > before);
  expect(warned).toEqual([]);
});

test('a session that was adopted is not deleted: its record would bring it back', async () => {
  const setup = await withPast();
  await setup.do({ type: 'input.send', sessionId: PAST, text: 'remember' });
  await setup.event(PAST, 'turn.completed');
  expect(await ask(setup, { type: 'session.delete' })).toMatchObject({ refused: 'not-supported', message: expect.stringContaining('Archive it') });
  expect(setup.engine.session(PAST)).toMatchObject({ control: 'here' });
});

test('a record of which nothing could be read yet is not adopted', async () => {
  const setup = await withPast();
  const empty = archivedIdOf(DEMO, 'empty');
  appendFileSync(join(setup.home, '.signalbox-demo', 'empty.jsonl'), `${JSON.stringify({ type: 'session', id: 'empty', cwd: setup.folder })}\n`);
  expect(await ask(setup, { type: 'session.describe', sessionId: empty, star: true })).toMatchObject({ refused: 'conflict' });
  const goOn = { how: 'resume', agentSessionId: 'empty', takeUp: true };
  const create = { type: 'session.create', sessionId: 'new', agent: DEMO, cwd: setup.folder, options: {}, goOn };
  expect(await ask(setup, create)).toMatchObject({ refused: 'conflict', message: expect.stringContaining('read yet') });
  expect(setup.engine.sessions()).toEqual([]);
});

test('what is copied or handed over of a past session is the way that was taken, or the one that leads to the event that was named', async () => {
  const setup = await withPast();
  saidElsewhere(setup.home, 'ways', 'one', { cwd: setup.folder });
  saidElsewhere(setup.home, 'ways', 'left', { parent: 'one-said' });
  saidElsewhere(setup.home, 'ways', 'taken', { parent: 'one-said' });
  const goOn = { how: 'fork', sessionId: archivedIdOf(DEMO, 'ways') } as const;
  const create = { type: 'session.create', agent: DEMO, cwd: setup.folder, options: {} } as const;
  const inherited = (id: SessionId) => spoken(setup.events(id).filter((event) => event.inherited));
  const [end, beside, over] = ['end', 'beside', 'over'] as SessionId[] as [SessionId, SessionId, SessionId];
  await setup.do({ ...create, sessionId: end, goOn });
  expect(inherited(end)).toEqual(['asked one', 'answer to one', 'asked taken', 'answer to taken']);
  await setup.do({ ...create, sessionId: beside, goOn: { ...goOn, at: 4 } });
  expect(inherited(beside)).toEqual(['asked one', 'answer to one', 'asked left', 'answer to left']);
  await setup.do({ ...create, sessionId: over, goOn: { ...goOn, how: 'handover', summary: 'extract' } });
  const { text } = await setup.event(over, 'handover.ready');
  expect([text.includes('asked taken'), text.includes('left')]).toEqual([true, false]);
});

test('of a very long past only what can be shown is read, and it is said that there was more', async () => {
  const setup = await withPast();
  saidElsewhere(setup.home, 'long', '0', { cwd: setup.folder });
  for (let turn = 1; turn <= 2 * LIMITS.inheritedEvents; turn += 1) saidElsewhere(setup.home, 'long', `${turn}`);
  const child = 'child' as SessionId;
  const goOn = { how: 'fork', sessionId: archivedIdOf(DEMO, 'long') } as const;
  await setup.do({ type: 'session.create', sessionId: child, agent: DEMO, cwd: setup.folder, options: {}, goOn });
  const inherited = setup.events(child).filter((event) => event.inherited);
  expect(inherited).toHaveLength(LIMITS.inheritedEvents + 1);
  expect(inherited[0]).toMatchObject({ type: 'notice.shown', text: expect.stringMatching(/^Earlier events/) });
  expect(spoken(inherited).at(-1)).toBe(`answer to ${2 * LIMITS.inheritedEvents}`);
  expect(setup.port.read).toBeLessThan(LIMITS.inheritedEvents + 10);
});
