import { randomUUID } from 'node:crypto';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { standIn } from '../../../test/support/agents/stand-in-program.ts';
import { createEngine, type EngineSetup } from '../../../test/support/engine/test-engine.ts';
import { STAND_IN_VARIABLE, standInAdapter } from '../../../test/support/stand-in-adapter/index.ts';
import { waitFor } from '../../../test/support/wait-for.ts';
import type { Adapter } from '../../agents/port/adapter.ts';
import { AgentId, type SessionId } from '../../protocol/ids.ts';

const mute: Adapter = { ...standInAdapter, id: AgentId.parse('mute'), title: 'Mute', locate: { variable: 'MUTE_PATH', names: [], versionArgs: ['--version'] } };
const env = {
  MUTE_PATH: fileURLToPath(new URL('../../../test/fixtures/never-speaks.sh', import.meta.url)),
  [STAND_IN_VARIABLE]: standIn().command,
};
const SOON_MS = 500;
const NEVER_MS = 600_000;

const create = async (setup: EngineSetup, { id }: Adapter): Promise<SessionId> => {
  const sessionId = `s-${randomUUID()}` as SessionId;
  await setup.do({ type: 'session.create', sessionId, agent: id, cwd: setup.folder, options: {} });
  return sessionId;
};
const notices = (setup: EngineSetup, id: SessionId, after = 0) => setup.events(id).filter((event) => event.type === 'notice.shown' && event.seq > after);

test('an agent that prints nothing is reported with its error output and stays starting, also after a server restart', async () => {
  const setup = await createEngine({ adapters: [standInAdapter, mute], env, silentStartMs: NEVER_MS });
  const [silent, printing] = [await create(setup, mute), await create(setup, standInAdapter)];
  const { run } = await setup.event(silent, 'run.opened');
  await setup.event(printing, 'run.ready');
  await waitFor('its error output', () => hasContent(join(setup.dataDir, 'sessions', silent, run, 'err.log')));
  await setup.reopen({ silentStartMs: SOON_MS });
  const notice = await setup.event(silent, 'notice.shown');
  expect(notice).toMatchObject({ level: 'warning', text: 'Mute has printed nothing for 0.5 s. Its error output says:\ncannot reach the licence server' });
  expect(setup.engine.session(silent)?.status).toBe('starting');
  expect(notices(setup, printing)).toEqual([]);
});

const hasContent = (path: string): boolean => (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 0;

test('[R181] a silent start is reported once per run, also across restarts', async () => {
  const setup = await createEngine({ adapters: [mute], env, silentStartMs: SOON_MS });
  const first = await create(setup, mute);
  await setup.event(first, 'notice.shown');
  await setup.reopen();
  const second = await create(setup, mute);
  await setup.event(second, 'notice.shown');
  expect(notices(setup, first)).toHaveLength(1);
});

test('an agent that has printed a line or ended is not reported as silent', async () => {
  const setup = await createEngine({ adapters: [standInAdapter, mute], env, silentStartMs: SOON_MS });
  const [printing, ended] = [await create(setup, standInAdapter), await create(setup, mute)];
  const ready = await setup.event(printing, 'run.ready');
  await setup.event(ended, 'run.opened');
  await setup.do({ type: 'session.stop', sessionId: ended });
  const exited = await setup.event(ended, 'session.exited');
  await setup.event(await create(setup, mute), 'notice.shown');
  expect(notices(setup, printing, ready.seq)).toEqual([]);
  expect(notices(setup, ended, exited.seq)).toEqual([]);
});
