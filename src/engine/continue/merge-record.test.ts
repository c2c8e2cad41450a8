import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { addExternalTurn, demoRecords } from '../../../test/support/agents/demo-records.ts';
import { createRecordsPort, type RecordsPort } from '../../../test/support/engine/records-port.ts';
import { createEngine, type EngineSetup } from '../../../test/support/engine/test-engine.ts';
import { proofCount } from '../../../test/support/proof-length.ts';
import { AGENTS } from '../../agents/index.ts';
import { archivedIdOf } from '../../agents/port/archived-id.ts';
import { fold } from '../../domain/session/evolve.ts';
import { newSessionState } from '../../domain/session/state.ts';
import type { Journal } from '../../journal/journal.ts';
import { rebuildJournal } from '../../journal/rebuild/rebuild.ts';
import type { Event } from '../../protocol/event.ts';
import type { AgentId, SessionId } from '../../protocol/ids.ts';
import { refoldWith } from '../rebuild/refold-run.ts';

const DEMO = 'demo' as AgentId;
const S = 's1' as SessionId;

interface RecordSetup extends EngineSetup {
  readonly port: RecordsPort;
}

async function setup(): Promise<RecordSetup> {
  let home = '';
  const port = createRecordsPort(new Map([[DEMO, demoRecords]]), () => ({ HOME: home }), 3);
  const made = await createEngine({ past: port });
  home = made.home;
  mkdirSync(join(home, '.signalbox-demo'));
  return Object.assign(made, { port });
}

const messagesOf = (events: readonly Event[]) =>
  events.flatMap((event) => (event.type === 'user.message' || event.type === 'assistant.text' ? [event.text] : []));
const externalEvents = (events: readonly Event[]) => events.filter((event) => event.elsewhere === true);
const conversationOf = (on: RecordSetup, id: SessionId): string => on.engine.session(id)?.agentSessionId ?? '';

async function mergeGrown(on: RecordSetup, agentSessionId: string): Promise<void> {
  on.engine.recordGrown(DEMO, agentSessionId);
  await on.engine.drain();
}

/** Creates one of our sessions with one turn, and stops it. */
async function createStopped(on: RecordSetup): Promise<string> {
  await on.do({ type: 'session.create', sessionId: S, agent: DEMO, cwd: on.folder, options: {}, prompt: 'hello' });
  await on.event(S, 'turn.completed');
  await stop(on, S);
  return conversationOf(on, S);
}

async function stop(on: RecordSetup, id: SessionId): Promise<void> {
  await on.do({ type: 'session.stop', sessionId: id });
  await on.engine.drain();
  expect(on.engine.session(id)?.status).toBe('ended');
}

test('what our own process printed is not merged again from the record', async () => {
  const on = await setup();
  const id = await createStopped(on);
  const before = on.events(S);
  await mergeGrown(on, id);
  await on.reopen();
  await mergeGrown(on, id);
  expect(on.events(S)).toEqual(before);
});

test('[R210] what another program did is merged once as external events, however often it is merged, also after a restart and a rebuild', async () => {
  const on = await setup();
  const id = await createStopped(on);
  addExternalTurn(on.home, id, 't1');
  await mergeGrown(on, id);
  await mergeGrown(on, id);
  const merged = externalEvents(on.events(S));
  expect(messagesOf(merged)).toEqual(['asked t1', 'answer to t1']);
  expect(merged.every((event) => event.src?.file === `${id}.jsonl` && event.src.byte > 0)).toBe(true);
  expect(on.engine.session(S)).toMatchObject({ status: 'ended', lastLine: 'answer to t1', queue: [] });
  await on.reopen();
  await mergeGrown(on, id);
  const before = on.events(S);
  expect(externalEvents(before)).toEqual(merged);
  await on.close();
  await rebuildJournal({ dataDir: on.dataDir, refold: refoldWith(new Map(AGENTS.map((agent) => [agent.id, agent]))), now: new Date() });
  await on.reopen();
  await mergeGrown(on, id);
  expect(on.events(S).map(({ seq, type }) => [seq, type])).toEqual(before.map(({ seq, type }) => [seq, type]));
});

test('[R211] nothing is merged while our own process is alive; afterwards, what another program wrote meanwhile is', async () => {
  const on = await setup();
  await on.do({ type: 'session.create', sessionId: S, agent: DEMO, cwd: on.folder, options: {}, prompt: 'hello' });
  await on.event(S, 'turn.completed');
  const id = conversationOf(on, S);
  addExternalTurn(on.home, id, 't1');
  await mergeGrown(on, id);
  expect(externalEvents(on.events(S))).toEqual([]);
  await on.do({ type: 'input.send', sessionId: S, text: 'think' });
  await on.event(S, 'turn.completed', (event) => event.seq > (on.events(S).find((one) => one.type === 'turn.completed')?.seq ?? 0));
  await stop(on, S);
  expect(messagesOf(externalEvents(on.events(S)))).toEqual(['asked t1', 'answer to t1']);
});

test('external events from before a launch come before the events of the new process', async () => {
  const on = await setup();
  const id = await createStopped(on);
  addExternalTurn(on.home, id, 't1');
  await on.do({ type: 'input.send', sessionId: S, text: 'remember' });
  const answer = await on.event(S, 'assistant.text', (event) => event.text.includes('asked t1') && event.elsewhere !== true);
  expect(externalEvents(on.events(S)).every((event) => event.seq < answer.seq)).toBe(true);
  await stop(on, S);
  expect(messagesOf(externalEvents(on.events(S)))).toEqual(['asked t1', 'answer to t1']);
});

test('an adopted session merges lines that were written after its base, and no earlier ones', async () => {
  const on = await setup();
  addExternalTurn(on.home, 'terminal', 'one', { cwd: on.folder });
  const past = archivedIdOf(DEMO, 'terminal');
  await on.do({ type: 'session.describe', sessionId: past, star: true });
  addExternalTurn(on.home, 'terminal', 'two');
  await mergeGrown(on, 'terminal');
  await on.reopen();
  await mergeGrown(on, 'terminal');
  expect(messagesOf(on.events(past))).toEqual(['asked two', 'answer to two']);
  expect(on.engine.session(past)).toMatchObject({ status: 'ended', lastLine: 'answer to two' });
});

test('an incomplete line is merged once it is complete', async () => {
  const on = await setup();
  const id = await createStopped(on);
  const file = join(on.home, '.signalbox-demo', `${id}.jsonl`);
  appendFileSync(file, '{"type":"user","id":"t1","text":"as');
  await mergeGrown(on, id);
  expect(externalEvents(on.events(S))).toEqual([]);
  appendFileSync(file, 'ked"}\n');
  await mergeGrown(on, id);
  expect(messagesOf(externalEvents(on.events(S)))).toEqual(['asked']);
});

test('only the new part of a long record is read, also after a restart', async () => {
  const on = await setup();
  const id = await createStopped(on);
  const file = join(on.home, '.signalbox-demo', `${id}.jsonl`);
  for (let turn = 0; turn < 40; turn += 1) appendFileSync(file, `${JSON.stringify({ type: 'user', id: `t${turn}`, text: 'x'.repeat(4000) })}\n`);
  await mergeGrown(on, id);
  const before = on.port.given;
  await on.reopen();
  addExternalTurn(on.home, id, 'last');
  await mergeGrown(on, id);
  expect(on.port.given - before).toBeLessThan(5);
  expect(externalEvents(on.events(S))).toHaveLength(42);
});

test('[R212] when another program continues from an earlier message, one notice says so before the new messages', async () => {
  const on = await setup();
  const id = await createStopped(on);
  addExternalTurn(on.home, id, 't1', { parent: 'somewhere' });
  addExternalTurn(on.home, id, 't2', { parent: 't1-said' });
  await mergeGrown(on, id);
  expect(on.events(S).filter((event) => event.type === 'notice.shown')).toEqual([]);
  addExternalTurn(on.home, id, 't3', { parent: 't1-said' });
  await mergeGrown(on, id);
  await on.reopen();
  await mergeGrown(on, id);
  const added = externalEvents(on.events(S)).slice(4);
  expect(added.map((event) => event.type)).toEqual(['notice.shown', 'user.message', 'assistant.text']);
  expect(added[0]).toMatchObject({ level: 'warning', text: expect.stringContaining('from an earlier message') });
});

/** A journal that fails at the first append of an external event, as if the disk were full. */
function refusingOnce(journal: Journal): Journal {
  let isRefused = false;
  return appendingWith(journal, (entry) => {
    if (isRefused || !entry.events.some((event) => event.elsewhere)) return journal.append(entry);
    isRefused = true;
    throw new Error('the disk is full');
  });
}

/** A journal of a server that dies at its first append of an external event: right before or right after it. */
function dying(journal: Journal, when: 'before' | 'after'): Journal {
  let isDead = false;
  const append: Journal['append'] = (entry) => {
    const isExternal = entry.events.some((event) => event.elsewhere);
    const stored = isDead || (isExternal && when === 'before') ? [] : journal.append(entry);
    isDead ||= isExternal;
    if (isDead) throw new Error('killed');
    return stored;
  };
  return appendingWith(journal, append);
}

function appendingWith(journal: Journal, append: Journal['append']): Journal {
  return new Proxy(journal, {
    get: (target, name) => {
      if (name === 'append') return append;
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

for (const when of ['before', 'after'] as const) {
  test(`when a server dies ${when} storing external events, the next one stores them exactly once`, async () => {
    const on = await setup();
    const id = await createStopped(on);
    for (const name of ['t1', 't2', 't3']) addExternalTurn(on.home, id, name);
    await on.reopen({ journal: (journal) => dying(journal, when) });
    await mergeGrown(on, id);
    await on.close().catch((error: unknown) => expect(String(error)).toContain('killed'));
    await on.reopen();
    await mergeGrown(on, id);
    expect(messagesOf(externalEvents(on.events(S)))).toEqual(['t1', 't2', 't3'].flatMap((name) => [`asked ${name}`, `answer to ${name}`]));
  });
}

test('external events that could not be stored are merged a few seconds later, even if the record no longer grows', async () => {
  const on = await setup();
  const id = await createStopped(on);
  addExternalTurn(on.home, id, 't1');
  let refused = 0;
  const log = { info: () => {}, warn: () => {}, error: () => void refused++ };
  await on.reopen({ log, journal: (journal) => refusingOnce(journal) });
  await mergeGrown(on, id);
  expect([refused, externalEvents(on.events(S))]).toEqual([1, []]);
  await on.event(S, 'assistant.text', (event) => event.elsewhere === true);
  expect(messagesOf(externalEvents(on.events(S)))).toEqual(['asked t1', 'answer to t1']);
});

type Step = 'own' | 'elsewhere' | 'merge' | 'stop' | 'restart' | 'star';
const STEPS: readonly Step[] = ['own', 'elsewhere', 'elsewhere', 'merge', 'merge', 'stop', 'restart', 'star'];

test('any order of own turns, external turns, merges and restarts gives one transcript without duplicates or losses', {
  timeout: proofCount(120_000),
}, async () => {
  const steps = fc.asyncProperty(fc.array(fc.constantFrom(...STEPS), { minLength: 4, maxLength: 9 }), async (taken) => {
    const on = await setup();
    const id = await createStopped(on);
    let count = 0;
    for (const step of taken) count += await take(on, id, step, count);
    await stopIfLive(on);
    await mergeGrown(on, id);
    const events = on.events(S);
    const said = messagesOf(events);
    const external = Array.from({ length: count }, (_, index) => index).flatMap((index) => [`asked t${index}`, `answer to t${index}`]);
    expect(said.filter((text) => external.includes(text))).toEqual(external.filter((text) => said.includes(text)));
    expect([...new Set(said.filter((text) => external.includes(text)))].sort()).toEqual([...external].sort());
    const items = events.flatMap((event) => (event.type === 'user.message' || event.type === 'assistant.text' ? [event.itemId] : []));
    expect(new Set(items).size).toBe(items.length);
    expect(events.map((event) => event.seq)).toEqual(events.map((_, index) => index + 1));
    const { turn, openTools, queue } = fold(newSessionState(S), events);
    expect([turn.phase, openTools, queue]).toEqual(['idle', [], []]);
    await on.close();
  });
  await fc.assert(steps, { seed: 20_261_115, numRuns: proofCount(3) });
});

async function take(on: RecordSetup, id: string, step: Step, count: number): Promise<number> {
  if (step === 'own') await ownTurn(on);
  if (step === 'elsewhere') addExternalTurn(on.home, id, `t${count}`);
  if (step === 'merge') await mergeGrown(on, id);
  if (step === 'stop') await stopIfLive(on);
  if (step === 'restart') await on.reopen();
  if (step === 'star') await on.do({ type: 'session.describe', sessionId: S, star: true });
  return step === 'elsewhere' ? 1 : 0;
}

async function ownTurn(on: RecordSetup): Promise<void> {
  const turns = () => on.events(S).filter((event) => event.type === 'turn.completed').length;
  const before = turns();
  await on.do({ type: 'input.send', sessionId: S, text: 'hello' });
  await on.event(S, 'turn.completed', () => turns() > before);
}

async function stopIfLive(on: RecordSetup): Promise<void> {
  await on.do({ type: 'session.stop', sessionId: S });
  await on.engine.drain();
}
