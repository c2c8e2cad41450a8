import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { createEngine, type EngineSetup } from '../../../test/support/engine/test-engine.ts';
import { waitFor } from '../../../test/support/wait-for.ts';
import { demo } from '../../agents/demo/index.ts';
import type { Adapter } from '../../agents/port/adapter.ts';
import type { CommandId, SessionId } from '../../protocol/ids.ts';

/** The demo agent, which never receives an interrupt. */
const uninterruptible: Adapter = { ...demo, encode: (intent) => (intent.kind === 'interrupt' ? [] : demo.encode(intent, {})) } as Adapter;

async function create(setup: EngineSetup, prompt: string): Promise<SessionId> {
  const sessionId = `s-${randomUUID()}` as SessionId;
  await setup.do({ type: 'session.create', sessionId, agent: demo.id, cwd: setup.folder, options: {}, prompt });
  return sessionId;
}

const HOUR_MS = 3_600_000;

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

test('[R133] an agent that ignores an interrupt is ended and resumed, and its queue stays paused until somebody resumes it', async () => {
  const setup = await createEngine({ adapters: [uninterruptible], graces: { interruptMs: 100, obeyMs: 100 } });
  const id = await create(setup, 'wait');
  await setup.event(id, 'turn.started');
  const pid = await waitFor('a pid', () => setup.engine.session(id)?.pid);
  await setup.do({ type: 'input.send', sessionId: id, commandId: 'm2' as CommandId, text: 'hello' });
  await setup.do({ type: 'turn.interrupt', sessionId: id });
  const ending = await setup.event(id, 'run.ending');
  expect(ending.reason).toBe('stuck');
  const cut = await setup.event(id, 'turn.completed');
  expect(cut.interrupted).toBe(true);
  const exited = await setup.event(id, 'session.exited');
  await setup.event(id, 'session.status', (event) => event.seq > exited.seq && event.status === 'idle');
  expect(setup.engine.session(id)).toMatchObject({ queuePaused: true, queue: [{ commandId: 'm2', state: 'accepted' }] });
  await setup.do({ type: 'queue.resume', sessionId: id });
  await setup.event(id, 'input.consumed', (event) => event.commandId === 'm2');
  expect([exited.reason, isAlive(pid)]).toEqual(['stuck', false]);
  expect(setup.events(id).flatMap((event) => (event.type === 'run.opened' ? [event.mode] : []))).toEqual(['new', 'resume']);
});

test('an interrupt from before a restart is still enforced afterwards', async () => {
  const setup = await createEngine({ adapters: [uninterruptible], graces: { interruptMs: 60_000, obeyMs: 60_000 } });
  const id = await create(setup, 'wait');
  await setup.event(id, 'turn.started');
  await setup.do({ type: 'turn.interrupt', sessionId: id });
  await setup.reopen({ graces: { interruptMs: 50, obeyMs: 50 } });
  expect((await setup.event(id, 'run.ending')).reason).toBe('stuck');
  await setup.event(id, 'session.status', (event) => event.status === 'idle');
});

test('an agent that obeys an interrupt keeps its process', async () => {
  const setup = await createEngine({ graces: { interruptMs: 5000, obeyMs: 5000 } });
  const id = await create(setup, 'wait');
  await setup.event(id, 'turn.started');
  await setup.do({ type: 'turn.interrupt', sessionId: id });
  expect((await setup.event(id, 'turn.completed')).interrupted).toBe(true);
  await setup.event(id, 'session.status', (event) => event.status === 'idle');
  expect(setup.events(id).filter((event) => event.type === 'run.opened')).toHaveLength(1);
});

test('[R138] a scheduled continuation happens once, even if the server was not running at that time', async () => {
  const setup = await createEngine();
  const id = await create(setup, 'hello');
  await setup.event(id, 'turn.completed');
  const inAnHour = new Date(Date.now() + HOUR_MS).toISOString();
  await setup.do({ type: 'continuation.schedule', sessionId: id, commandId: 'go' as CommandId, at: inAnHour, text: 'think' });
  expect(setup.engine.session(id)?.continuesAt).toBe(inAnHour);
  await setup.reopen({ now: () => new Date(Date.now() + 2 * HOUR_MS) });
  const sent = await setup.event(id, 'input.consumed', (event) => event.commandId === 'continuation:go');
  expect(sent).toBeDefined();
  await setup.reopen();
  const eventsOf = (type: string) => setup.events(id).filter((event) => event.type === type);
  expect([eventsOf('continuation.ended').length, eventsOf('user.message').length]).toEqual([1, 2]);
  expect(setup.engine.session(id)?.continuesAt).toBeUndefined();
});

test('a cancelled continuation ends as cancelled and cannot be cancelled again', async () => {
  const setup = await createEngine();
  const id = await create(setup, 'hello');
  await setup.event(id, 'turn.completed');
  await setup.do({ type: 'continuation.schedule', sessionId: id, at: new Date(Date.now() + HOUR_MS).toISOString() });
  await setup.do({ type: 'continuation.cancel', sessionId: id });
  expect((await setup.event(id, 'continuation.ended')).outcome).toBe('cancelled');
  await expect(setup.do({ type: 'continuation.cancel', sessionId: id })).rejects.toThrow('Nothing is scheduled');
});

test('[R278] stopping a session cancels its continuation, even when it was no longer running', async () => {
  const setup = await createEngine();
  const id = await create(setup, 'hello');
  await setup.event(id, 'turn.completed');
  for (const _ of ['while it runs', 'at rest']) {
    await setup.do({ type: 'continuation.schedule', sessionId: id, at: new Date(Date.now() + HOUR_MS).toISOString() });
    await setup.do({ type: 'session.stop', sessionId: id });
    expect(setup.engine.session(id)?.continuesAt).toBeUndefined();
    await setup.event(id, 'session.exited');
  }
  await setup.reopen({ now: () => new Date(Date.now() + 2 * HOUR_MS) });
  const ends = setup.events(id).filter((event) => event.type === 'continuation.ended');
  expect(ends).toMatchObject(Array(2).fill({ outcome: 'cancelled', reason: 'the session was stopped' }));
  expect(setup.events(id).filter((event) => event.type === 'input.accepted')).toHaveLength(1);
});
