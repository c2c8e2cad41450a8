import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { createEngine, type EngineBench } from '../../test/support/engine.ts';
import type { AgentId, CommandId, SessionId } from '../protocol/ids.ts';

const DEMO = 'demo' as AgentId;

async function create(bench: EngineBench, prompt?: string): Promise<SessionId> {
  const sessionId = `s-${randomUUID()}` as SessionId;
  await bench.do({ type: 'session.create', sessionId, agent: DEMO, cwd: bench.folder, options: {}, ...(prompt !== undefined && { prompt }) });
  return sessionId;
}

test('a message goes to the agent and its answer comes back, once', async () => {
  const bench = await createEngine();
  const id = await create(bench, 'hello');
  const done = await bench.event(id, 'turn.completed');
  const events = bench.events(id);
  expect(done.isError).toBe(false);
  expect(events.map((event) => event.seq)).toEqual(events.map((_, index) => index + 1));
  expect(events.filter((event) => event.type === 'user.message')).toHaveLength(1);
  expect(events.some((event) => event.type === 'assistant.text')).toBe(true);
  await bench.event(id, 'session.status', (event) => event.status === 'idle' && event.cause === 'turn.completed');
});

test('a second message waits until the first turn is over', async () => {
  const bench = await createEngine();
  const id = await create(bench, 'hello');
  const second = randomUUID() as CommandId;
  await bench.do({ type: 'input.send', sessionId: id, commandId: second, text: 'think' });
  await bench.event(id, 'input.consumed', (event) => event.commandId === second);
  const types = bench.events(id).flatMap((event) => (event.type === 'turn.completed' || event.type === 'input.delivered' ? [event.type] : []));
  expect(types.slice(0, 3)).toEqual(['input.delivered', 'turn.completed', 'input.delivered']);
});

test('a permission that waits outlives the engine, and its answer reaches the agent', async () => {
  const bench = await createEngine();
  const id = await create(bench, 'write');
  const asked = await bench.event(id, 'permission.requested');
  expect(bench.engine.session(id)?.status).toBe('waiting');
  await bench.reopen();
  expect(bench.engine.permissions().map((open) => open.requestId)).toEqual([asked.requestId]);
  await bench.do({ type: 'permission.answer', sessionId: id, requestId: asked.requestId, behavior: 'allow' });
  const done = await bench.event(id, 'turn.completed');
  expect(done.isError).toBe(false);
  expect(bench.events(id).some((event) => event.type === 'tool.completed' && event.change !== undefined)).toBe(true);
});

test('the same command id is carried out once, and refused for something else', async () => {
  const bench = await createEngine();
  const id = await create(bench);
  const commandId = randomUUID() as CommandId;
  const first = await bench.do({ type: 'input.send', sessionId: id, commandId, text: 'hello' });
  const again = await bench.do({ type: 'input.send', sessionId: id, commandId, text: 'hello' });
  expect(again).toEqual(first);
  expect(bench.events(id).filter((event) => event.type === 'input.accepted')).toHaveLength(1);
  await expect(bench.do({ type: 'input.send', sessionId: id, commandId, text: 'other' })).rejects.toThrow('conflict');
});

test('stop ends the agent, and the next message wakes it with what it knew', async () => {
  const bench = await createEngine();
  const id = await create(bench, 'hello');
  await bench.event(id, 'turn.completed');
  await bench.do({ type: 'session.stop', sessionId: id });
  await bench.event(id, 'session.status', (event) => event.status === 'ended');
  await bench.do({ type: 'input.send', sessionId: id, text: 'think' });
  const opened = await bench.event(id, 'run.opened', (event) => event.mode === 'resume');
  expect(opened.reason).toBe('input.send');
  await bench.event(id, 'turn.completed', (event) => event.seq > opened.seq);
});
