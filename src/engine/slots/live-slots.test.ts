import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { createEngine, type EngineSetup } from '../../../test/support/engine/test-engine.ts';
import { waitFor } from '../../../test/support/wait-for.ts';
import { AgentId, type SessionId } from '../../protocol/ids.ts';

const DEMO = AgentId.parse('demo');

test('[R360] with all slots idle, a new session puts the longest idle agent to sleep, and a message wakes that one again', async () => {
  const setup = await createEngine({ maxLive: 2 });
  const first = await idle(setup);
  const second = await idle(setup);
  const third = await create(setup, 'hello');
  await turns(setup, third, 1);
  expect(setup.engine.session(first)?.status).toBe('sleeping');
  expect(setup.engine.session(second)?.status).toBe('idle');
  await setup.do({ type: 'input.send', sessionId: first, text: 'hello' });
  await turns(setup, first, 2);
  expect(setup.engine.session(second)?.status).toBe('sleeping');
});

test('[R360] while all agents work, new sessions wait in line with their place and the limit, and start in that order', async () => {
  const setup = await createEngine({ maxLive: 1 });
  const working = await create(setup, 'write');
  const request = await setup.event(working, 'permission.requested');
  const line = [await create(setup, 'hello'), await create(setup, 'hello'), await create(setup)];
  const places = () => line.map((id) => setup.engine.session(id)?.placeInLine);
  expect(places()).toEqual([1, 2, 3]);
  expect(setup.engine.session(line[0] as SessionId)).toMatchObject({
    status: 'starting',
    control: 'none',
    lineLimit: { of: 'agents', limit: 1 },
    queue: [{ text: 'hello', state: 'accepted' }],
  });
  const shown: unknown[] = [];
  setup.engine.watch('*', (news) => news.kind === 'session' && news.sessionId === line[1] && shown.push(news.session.placeInLine));
  await setup.do({ type: 'permission.answer', sessionId: working, requestId: request.requestId, behavior: 'allow' });
  await waitFor('everyone to have started', () => line.every((id) => setup.events(id).some((event) => event.type === 'run.ready')));
  const startedAt = line.map((id) => setup.events(id).find((event) => event.type === 'run.opened')?.at ?? '');
  expect(startedAt).toEqual([...startedAt].sort());
  expect(shown).toContain(1);
  expect(places()).toEqual([undefined, undefined, undefined]);
});

test('[R362] the line is the same after a restart, and nobody who comes later is served first', async () => {
  const setup = await createEngine({ maxLive: 1 });
  const working = await create(setup, 'write');
  const request = await setup.event(working, 'permission.requested');
  const line = [await create(setup, 'hello'), await create(setup, 'hello')];
  await setup.reopen();
  line.push(await create(setup, 'hello'));
  expect(line.map((id) => setup.engine.session(id)?.placeInLine)).toEqual([1, 2, 3]);
  await waitFor('the agent to be found again', () => setup.engine.session(working)?.pid);
  await setup.do({ type: 'permission.answer', sessionId: working, requestId: request.requestId, behavior: 'allow' });
  for (const id of line) await turns(setup, id, 1);
  const done = line.map((id) => setup.events(id).find((event) => event.type === 'turn.completed')?.at ?? '');
  expect(done).toEqual([...done].sort());
});

async function idle(setup: EngineSetup): Promise<SessionId> {
  const id = await create(setup, 'hello');
  await turns(setup, id, 1);
  return id;
}

const turns = (setup: EngineSetup, id: SessionId, count: number) =>
  waitFor(`turn ${count} of ${id}`, () => setup.events(id).filter((event) => event.type === 'turn.completed').length >= count);

async function create(setup: EngineSetup, prompt?: string): Promise<SessionId> {
  const sessionId = `s-${randomUUID()}` as SessionId;
  await setup.do({ type: 'session.create', sessionId, agent: DEMO, cwd: setup.folder, options: {}, ...(prompt !== undefined && { prompt }) });
  return sessionId;
}
