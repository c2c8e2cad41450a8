import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { createEngine, type EngineBench } from '../../../test/support/engine/test-engine.ts';
import { waitFor } from '../../../test/support/wait-for.ts';
import { AgentId, type SessionId } from '../../protocol/ids.ts';
import { isWorthTelling } from './measure-process-memory.ts';

const DEMO = AgentId.parse('demo');
const MB = 1024 * 1024;

test('a live session shows its memory, one that sleeps has none, and no event is made of it', async () => {
  const bench = await createEngine();
  const id = await create(bench, 'hello');
  await bench.event(id, 'session.status', (event) => event.status === 'idle');
  const rssBytes = await waitFor('its memory to be known', () => bench.engine.session(id)?.rssBytes);
  expect(rssBytes).toBeGreaterThan(20 * MB);
  expect(bench.engine.machine()).toEqual({ live: 1, maxLive: 5, memory: { usedBytes: rssBytes }, freeDiskBytes: expect.any(Number), problems: [] });
  const before = bench.events(id).length;
  await bench.do({ type: 'session.sleep', sessionId: id });
  await bench.event(id, 'session.status', (event) => event.status === 'sleeping');
  expect(bench.engine.session(id)?.rssBytes).toBeUndefined();
  expect(bench.engine.machine()).toMatchObject({ live: 0, memory: { usedBytes: 0 } });
  expect(
    bench
      .events(id)
      .slice(before)
      .map((event) => event.type),
  ).toEqual(['run.ending', 'session.exited', 'session.status']);
});

const changes: readonly (readonly [string, number | undefined, number, boolean])[] = [
  ['the first figure', undefined, 1, true],
  ['the same figure', 100 * MB, 100 * MB, false],
  ['4 MB more', 200 * MB, 204 * MB, true],
  ['4 MB less', 200 * MB, 196 * MB, true],
  ['a little less than 4 MB of much', 200 * MB, 204 * MB - 1, false],
  ['a twentieth of little', 20 * MB, 21 * MB, true],
  ['a little less than a twentieth of little', 20 * MB, 21 * MB - 1, false],
];
for (const [title, before, now, isTold] of changes) {
  test(`${title} is ${isTold ? 'told to lists' : 'not worth telling'}`, () => expect(isWorthTelling(before, now)).toBe(isTold));
}

test('[R185] above the bound the idle sleep and say why, the busy go on, and others wait for a free place', async () => {
  const bench = await createEngine({ maxMemoryBytes: MB });
  const idle = await create(bench, 'hello');
  const why = await bench.event(idle, 'notice.shown');
  expect(why.text).toMatch(/^Put to sleep: all agents together had \d+ MB of memory, and may have 1 MB\./);
  await bench.event(idle, 'session.status', (event) => event.status === 'sleeping');

  const busy = await create(bench, 'write');
  const asked = await bench.event(busy, 'permission.requested');
  await waitFor('its memory to be known', () => bench.engine.session(busy)?.rssBytes);
  await expect(create(bench)).rejects.toThrow('too-many-live');
  await bench.do({ type: 'input.send', sessionId: idle, text: 'hello again' });
  await bench.event(idle, 'session.status', (event) => event.cause === 'waits for a free place');
  expect(bench.engine.session(busy)?.status).toBe('waiting');
  expect(bench.engine.machine().memory.capBytes).toBe(MB);

  await bench.do({ type: 'permission.answer', sessionId: busy, requestId: asked.requestId, behavior: 'allow' });
  await bench.event(busy, 'session.status', (event) => event.status === 'sleeping');
  await waitFor('the one that waited to be answered', () => bench.events(idle).filter((event) => event.type === 'turn.completed').length === 2);
});

async function create(bench: EngineBench, prompt?: string): Promise<SessionId> {
  const sessionId = `s-${randomUUID()}` as SessionId;
  await bench.do({ type: 'session.create', sessionId, agent: DEMO, cwd: bench.folder, options: {}, ...(prompt !== undefined && { prompt }) });
  return sessionId;
}
