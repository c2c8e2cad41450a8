import { randomUUID } from 'node:crypto';
import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { addExternalTurn, demoRecords } from '../../../test/support/agents/demo-records.ts';
import { createRecordsPort, type RecordsPort } from '../../../test/support/engine/records-port.ts';
import { ADA, createEngine, type EngineOptions, type EngineSetup } from '../../../test/support/engine/test-engine.ts';
import { waitFor } from '../../../test/support/wait-for.ts';
import { demo } from '../../agents/demo/index.ts';
import type { Adapter } from '../../agents/port/adapter.ts';
import { archivedIdOf } from '../../agents/port/archived-id.ts';
import type { Command } from '../../protocol/command.ts';
import type { Event } from '../../protocol/event.ts';
import type { AgentId, CommandId, SessionId } from '../../protocol/ids.ts';
import { LIMITS } from '../../protocol/limits.ts';

const DEMO = 'demo' as AgentId;
const CONVERSATION = 'terminal';
const PAST = archivedIdOf(DEMO, CONVERSATION);

interface PastSetup extends EngineSetup {
  readonly port: RecordsPort;
}

/** A conversation of two turns from a terminal: four events, none of them in the journal. */
async function withPast(options: EngineOptions = {}, agents: readonly AgentId[] = [DEMO]): Promise<PastSetup> {
  let home = '';
  const port = createRecordsPort(new Map(agents.map((agent) => [agent, demoRecords])), () => ({ HOME: home }));
  const setup = await createEngine({ past: port, ...options });
  home = setup.home;
  mkdirSync(join(home, '.signalbox-demo'));
  addExternalTurn(home, CONVERSATION, 'one', { cwd: setup.folder });
  addExternalTurn(home, CONVERSATION, 'two');
  return Object.assign(setup, { port });
}

const submit = (setup: PastSetup, command: object) =>
  setup.engine.submit({ commandId: randomUUID() as CommandId, sessionId: PAST, ...command } as Command, ADA);
const messagesOf = (events: readonly Event[]) =>
  events.flatMap((event) => (event.type === 'user.message' || event.type === 'assistant.text' ? [event.text] : []));
const typesOf = (setup: PastSetup) => setup.events(PAST).map((event) => event.type);

test('[R208] a message adopts a past session under its id, after its seqs, without copying events, and the agent remembers', async () => {
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
  expect(messagesOf(others).at(-1)).toContain('asked two');
  expect(setup.engine.session(PAST)).toMatchObject({ title: 'asked one', past: { lastSeq: 4 }, owner: 'Ada', agentSessionId: CONVERSATION });
  expect(setup.port.adoptions).toContainEqual({ agent: DEMO, agentSessionId: CONVERSATION, base: 4 });
});

test('a note adopts a past session without starting a process, and its status is ended with the right cause', async () => {
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
  expect(messagesOf(setup.events(PAST)).at(-1)).toContain('asked one');
});

test('concurrent commands to a past session adopt it once', async () => {
  const setup = await withPast();
  const answers = await Promise.all([
    submit(setup, { type: 'session.describe', star: true }),
    submit(setup, { type: 'session.describe', tags: ['t'] }),
    submit(setup, {
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

test('[R209] a command that cannot work on a past session is refused, and nothing is adopted', async () => {
  const setup = await withPast();
  const outside = archivedIdOf(DEMO, 'outside');
  addExternalTurn(setup.home, 'outside', 'one', { cwd: '/' });
  const refusals = [
    [{ type: 'session.delete' }, 'not-supported'],
    [{ type: 'item.mark', seq: 99, item: 'x', star: true }, 'not-found'],
    [{ type: 'session.takeover' }, 'conflict'],
    [{ type: 'input.send', sessionId: outside, text: 'hello' }, 'not-allowed-folder'],
    [{ type: 'input.send', sessionId: archivedIdOf(DEMO, 'nobody'), text: 'hello' }, 'not-found'],
    [{ type: 'session.create', agent: DEMO, cwd: setup.folder, options: {} }, 'conflict'],
  ] as const;
  for (const [command, refused] of refusals) expect(await submit(setup, command)).toMatchObject({ refused });
  expect(setup.engine.sessions()).toEqual([]);
  expect(await submit(setup, { type: 'session.describe', sessionId: outside, star: true })).toMatchObject({ seq: 3 });
  expect(await submit(setup, { type: 'input.send', sessionId: outside, text: 'hello' })).toMatchObject({ refused: 'not-allowed-folder' });
});

test('resuming a conversation with takeUp adopts its past session; without takeUp it is copied into a new session', async () => {
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
  expect(await submit(setup, { ...asked, commandId: 'again', sessionId: 'again' })).toMatchObject({ refused: 'conflict' });
  const copied = await withPast();
  const { takeUp: _, ...copy } = goOn;
  await copied.do({ ...asked, cwd: copied.folder, goOn: copy });
  expect(await submit(copied, { type: 'session.describe', star: true })).toMatchObject({ refused: 'conflict' });
  expect(messagesOf(copied.events('new' as SessionId).filter((event) => event.inherited))).toEqual([
    'asked one',
    'answer to one',
    'asked two',
    'answer to two',
  ]);
});

for (const isAdopted of [false, true]) {
  test(`a fork from a message of a past session that ${isAdopted ? 'was' : 'was not'} adopted shows and remembers everything up to there`, async () => {
    const setup = await withPast();
    if (isAdopted) await setup.do({ type: 'session.describe', sessionId: PAST, star: true });
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
    expect(messagesOf(events.filter((event) => event.inherited))).toEqual(['asked one', 'answer to one']);
    expect(messagesOf(events).at(-1)).toBe('You said, in this order:\n\n1. asked one');
    expect(setup.engine.session(child)?.parent).toEqual({ sessionId: PAST, seq: 2 });
    expect(setup.engine.session(PAST) !== undefined).toBe(isAdopted);
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

test('a conversation of a private session stays private when it is adopted, and is listed as private', async () => {
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
  expect(setup.engine.privateConversations()).toEqual([CONVERSATION]);
  await setup.do({ type: 'session.delete', sessionId: 's1' as SessionId });
  await setup.engine.drain();
  expect(setup.engine.privateConversations()).toEqual([CONVERSATION]);
  await setup.do({ type: 'session.describe', sessionId: PAST, star: true });
  expect(setup.engine.session(PAST)).toMatchObject({ closed: true });
});

const OTHER = 'other' as AgentId;

/** An agent that counts how often its registry is read. */
function countingSweeps() {
  const sweeps = { count: 0 };
  const folder = () => {
    sweeps.count += 1;
    return '/nowhere';
  };
  const adapter: Adapter = { ...demo, id: OTHER, registry: { folder, pidOf: () => undefined, read: () => undefined } };
  return { sweeps, adapter };
}

test('a past session of an agent that can only be read accepts notes, also after a restart, and refuses what needs a process', async () => {
  const warned: unknown[] = [];
  const warn = (facts: object, message: string) => void warned.push({ facts, message });
  const { sweeps, adapter } = countingSweeps();
  const setup = await withPast({ adapters: [adapter], log: { info: () => {}, warn, error: warn } }, [DEMO, OTHER]);
  expect(await submit(setup, { type: 'input.send', text: 'hello' })).toMatchObject({
    refused: 'agent-unavailable',
    message: expect.stringContaining('cannot run demo'),
  });
  await setup.do({ type: 'session.describe', sessionId: PAST, star: true, title: 'Mine', tags: ['t'], note: 'n' });
  await setup.do({ type: 'item.mark', sessionId: PAST, seq: 2, item: 'one-said', note: 'here' });
  await setup.reopen();
  addExternalTurn(setup.home, CONVERSATION, 'three');
  setup.engine.recordGrown(DEMO, CONVERSATION);
  await setup.engine.drain();
  expect(messagesOf(setup.events(PAST))).toEqual(['asked three', 'answer to three']);
  expect(setup.engine.session(PAST)).toMatchObject({ star: true, title: 'Mine', status: 'ended', control: 'none' });
  const needAgent = [
    { type: 'input.send', text: 'hello' },
    { type: 'session.wake' },
    { type: 'mode.set', mode: 'plan' },
    { type: 'model.set', model: 'm' },
    { type: 'files.rewind', seq: 1 },
    { type: 'permission.answer', requestId: 'r', decision: 'allow', mode: 'plan' },
  ];
  for (const command of needAgent) expect(await submit(setup, command)).toMatchObject({ refused: 'agent-unavailable' });
  await setup.do({ type: 'session.describe', sessionId: archivedIdOf(OTHER, CONVERSATION), star: true });
  const before = sweeps.count;
  await waitFor('the next sweep of the registries', () => sweeps.count > before);
  expect(warned).toEqual([]);
});

test('an adopted session cannot be deleted, because its record would bring it back', async () => {
  const setup = await withPast();
  await setup.do({ type: 'input.send', sessionId: PAST, text: 'remember' });
  await setup.event(PAST, 'turn.completed');
  expect(await submit(setup, { type: 'session.delete' })).toMatchObject({ refused: 'not-supported', message: expect.stringContaining('Archive it') });
  expect(setup.engine.session(PAST)).toMatchObject({ control: 'here' });
});

test('a record that was not read yet is not adopted', async () => {
  const setup = await withPast();
  const empty = archivedIdOf(DEMO, 'empty');
  appendFileSync(join(setup.home, '.signalbox-demo', 'empty.jsonl'), `${JSON.stringify({ type: 'session', id: 'empty', cwd: setup.folder })}\n`);
  expect(await submit(setup, { type: 'session.describe', sessionId: empty, star: true })).toMatchObject({ refused: 'conflict' });
  const goOn = { how: 'resume', agentSessionId: 'empty', takeUp: true };
  const create = { type: 'session.create', sessionId: 'new', agent: DEMO, cwd: setup.folder, options: {}, goOn };
  expect(await submit(setup, create)).toMatchObject({ refused: 'conflict', message: expect.stringContaining('read yet') });
  expect(setup.engine.sessions()).toEqual([]);
});

test('a fork or handover of a past session uses the current branch, or the branch of the given event', async () => {
  const setup = await withPast();
  addExternalTurn(setup.home, 'branches', 'one', { cwd: setup.folder });
  addExternalTurn(setup.home, 'branches', 'left', { parent: 'one-said' });
  addExternalTurn(setup.home, 'branches', 'taken', { parent: 'one-said' });
  const goOn = { how: 'fork', sessionId: archivedIdOf(DEMO, 'branches') } as const;
  const create = { type: 'session.create', agent: DEMO, cwd: setup.folder, options: {} } as const;
  const inherited = (id: SessionId) => messagesOf(setup.events(id).filter((event) => event.inherited));
  const [end, otherBranch, handover] = ['end', 'other-branch', 'handover'] as SessionId[] as [SessionId, SessionId, SessionId];
  await setup.do({ ...create, sessionId: end, goOn });
  expect(inherited(end)).toEqual(['asked one', 'answer to one', 'asked taken', 'answer to taken']);
  await setup.do({ ...create, sessionId: otherBranch, goOn: { ...goOn, at: 4 } });
  expect(inherited(otherBranch)).toEqual(['asked one', 'answer to one', 'asked left', 'answer to left']);
  await setup.do({ ...create, sessionId: handover, goOn: { ...goOn, how: 'handover', summary: 'extract' } });
  const { text } = await setup.event(handover, 'handover.ready');
  expect([text.includes('asked taken'), text.includes('left')]).toEqual([true, false]);
});

test('only the shown part of a very long past is read, and a notice says that there was more', async () => {
  const setup = await withPast();
  addExternalTurn(setup.home, 'long', '0', { cwd: setup.folder });
  for (let turn = 1; turn <= 2 * LIMITS.inheritedEvents; turn += 1) addExternalTurn(setup.home, 'long', `${turn}`);
  const child = 'child' as SessionId;
  const goOn = { how: 'fork', sessionId: archivedIdOf(DEMO, 'long') } as const;
  await setup.do({ type: 'session.create', sessionId: child, agent: DEMO, cwd: setup.folder, options: {}, goOn });
  const inherited = setup.events(child).filter((event) => event.inherited);
  expect(inherited).toHaveLength(LIMITS.inheritedEvents + 1);
  expect(inherited[0]).toMatchObject({ type: 'notice.shown', text: expect.stringMatching(/^Earlier events/) });
  expect(messagesOf(inherited).at(-1)).toBe(`answer to ${2 * LIMITS.inheritedEvents}`);
  expect(setup.port.read).toBeLessThan(LIMITS.inheritedEvents + 10);
});
