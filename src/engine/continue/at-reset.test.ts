import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { ADA, createEngine, type EngineSetup } from '../../../test/support/engine/test-engine.ts';
import { waitFor } from '../../../test/support/wait-for.ts';
import { AgentId, type CommandId, type SessionId } from '../../protocol/ids.ts';
import type { RuleScope } from '../../protocol/rule.ts';

const DEMO = AgentId.parse('demo');
const HOUR_MS = 3_600_000;

test('[R367] a preference schedules sessions at their limit, apart from each other, over a restart, and each continues once', async () => {
  const setup = await createEngine();
  await prefer(setup, { kind: 'everywhere' }, 'on');
  const ids = [await limited(setup), await limited(setup)];
  const times = ids.map((id) => Date.parse(setup.engine.session(id)?.continuesAt ?? ''));
  expect(Math.abs((times[0] ?? 0) - (times[1] ?? 0))).toBeGreaterThanOrEqual(20_000);
  expect(setup.engine.session(ids[0] as SessionId)).toMatchObject({ continuesAtReset: 'everywhere' });
  await setup.reopen({ now: () => new Date(Date.now() + 2 * HOUR_MS) });
  for (const id of ids) await waitFor('its continuation', () => sent(setup, id).length === 1);
  await setup.reopen({ now: () => new Date(Date.now() + 4 * HOUR_MS) });
  await setup.engine.drain();
  expect(ids.map((id) => sent(setup, id).length)).toEqual([1, 1]);
});

test('[R367] turning it on for a session that is at its limit schedules it, turning it off cancels that, and a person’s own schedule stays', async () => {
  const setup = await createEngine();
  const id = await limited(setup);
  const own = await limited(setup);
  await setup.do({ type: 'continuation.schedule', sessionId: own, at: new Date(Date.now() + HOUR_MS).toISOString() });
  expect(setup.engine.session(id)?.continuesAt).toBeUndefined();
  await prefer(setup, { kind: 'project', folder: setup.folder }, 'on');
  expect(setup.engine.session(id)).toMatchObject({ continuesAtReset: 'project', continuesAt: expect.any(String) });
  await prefer(setup, { kind: 'session', sessionId: id }, 'off');
  expect(setup.engine.session(id)?.continuesAt).toBeUndefined();
  await prefer(setup, { kind: 'project', folder: setup.folder }, 'unset');
  expect(setup.engine.session(own)?.continuesAt).toBeDefined();
  expect(setup.engine.resetPreferences()).toEqual([{ scope: { kind: 'session', sessionId: id }, choice: 'off' }]);
  await setup.do({ type: 'session.delete', sessionId: id });
  await waitFor('its preference to go with it', () => setup.engine.resetPreferences().length === 0);
});

const sent = (setup: EngineSetup, id: SessionId) =>
  setup.events(id).filter((event) => event.type === 'input.consumed' && event.commandId.startsWith('continuation:'));

const prefer = (setup: EngineSetup, scope: RuleScope, choice: 'on' | 'off' | 'unset') =>
  setup.engine.workspace({ type: 'continuation.prefer', commandId: randomUUID() as CommandId, scope, choice }, ADA);

/** A session whose turn was ended by a limit that resets in half an hour. */
async function limited(setup: EngineSetup): Promise<SessionId> {
  const sessionId = `s-${randomUUID()}` as SessionId;
  await setup.do({ type: 'session.create', sessionId, agent: DEMO, cwd: setup.folder, options: {}, prompt: 'limit 1800' });
  await setup.event(sessionId, 'turn.completed');
  return sessionId;
}
