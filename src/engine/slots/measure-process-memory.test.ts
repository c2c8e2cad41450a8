import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { createEngine, type EngineSetup } from '../../../test/support/engine/test-engine.ts';
import { waitFor } from '../../../test/support/wait-for.ts';
import { AgentId, type SessionId } from '../../protocol/ids.ts';
import { isWorthPublishing } from './measure-process-memory.ts';

const DEMO = AgentId.parse('demo');
const MB = 1024 * 1024;

test('a live session shows its memory, a sleeping one has none, and no event is stored for it', async () => {
  const setup = await createEngine();
  const id = await create(setup, 'hello');
  await setup.event(id, 'session.status', (event) => event.status === 'idle');
  const rssBytes = await waitFor('its memory', () => setup.engine.session(id)?.rssBytes);
  expect(rssBytes).toBeGreaterThan(20 * MB);
  expect(setup.engine.machine()).toEqual({ live: 1, maxLive: 5, memory: { usedBytes: rssBytes }, freeDiskBytes: expect.any(Number), problems: [] });
  const before = setup.events(id).length;
  await setup.do({ type: 'session.sleep', sessionId: id });
  await setup.event(id, 'session.status', (event) => event.status === 'sleeping');
  expect(setup.engine.session(id)?.rssBytes).toBeUndefined();
  expect(setup.engine.machine()).toMatchObject({ live: 0, memory: { usedBytes: 0 } });
  expect(
    setup
      .events(id)
      .slice(before)
      .map((event) => event.type),
  ).toEqual(['run.ending', 'session.exited', 'session.status']);
});

const changes: readonly (readonly [string, number | undefined, number, boolean])[] = [
  ['the first measurement', undefined, 1, true],
  ['the same measurement', 100 * MB, 100 * MB, false],
  ['4 MB more', 200 * MB, 204 * MB, true],
  ['4 MB less', 200 * MB, 196 * MB, true],
  ['just under 4 MB of a large amount', 200 * MB, 204 * MB - 1, false],
  ['5 % of a small amount', 20 * MB, 21 * MB, true],
  ['just under 5 % of a small amount', 20 * MB, 21 * MB - 1, false],
];
for (const [title, before, now, isPublished] of changes) {
  test(`${title} is ${isPublished ? 'published' : 'not published'}`, () => expect(isWorthPublishing(before, now)).toBe(isPublished));
}

test('[R185] above the memory limit, idle agents sleep with a notice, busy ones continue, and others wait for a free slot', async () => {
  const setup = await createEngine({ maxMemoryBytes: MB });
  const idle = await create(setup, 'hello');
  const why = await setup.event(idle, 'notice.shown');
  expect(why.text).toMatch(/^Put to sleep: all agents together had \d+ MB of memory, and may have 1 MB\./);
  await setup.event(idle, 'session.status', (event) => event.status === 'sleeping');

  const busy = await create(setup, 'write');
  const asked = await setup.event(busy, 'permission.requested');
  await waitFor('its memory', () => setup.engine.session(busy)?.rssBytes);
  await setup.do({ type: 'input.send', sessionId: idle, text: 'hello again' });
  await setup.event(idle, 'session.status', (event) => event.cause === 'waiting for a free slot');
  expect(setup.engine.session(idle)).toMatchObject({ placeInLine: 1, lineLimit: { of: 'memory', limit: MB } });
  expect(setup.engine.session(busy)?.status).toBe('waiting');
  expect(setup.engine.machine().memory.capBytes).toBe(MB);

  await setup.do({ type: 'permission.answer', sessionId: busy, requestId: asked.requestId, behavior: 'allow' });
  await setup.event(busy, 'session.status', (event) => event.status === 'sleeping');
  await waitFor('the waiting message to be answered', () => setup.events(idle).filter((event) => event.type === 'turn.completed').length === 2);
});

async function create(setup: EngineSetup, prompt?: string): Promise<SessionId> {
  const sessionId = `s-${randomUUID()}` as SessionId;
  await setup.do({ type: 'session.create', sessionId, agent: DEMO, cwd: setup.folder, options: {}, ...(prompt !== undefined && { prompt }) });
  return sessionId;
}
