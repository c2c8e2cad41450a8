import { randomUUID } from 'node:crypto';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { standIn } from '../../../test/support/agents/stand-in.ts';
import { createEngine, type EngineBench } from '../../../test/support/engine/test-engine.ts';
import { STAND_IN_VARIABLE, standInAdapter } from '../../../test/support/stand-in-adapter/index.ts';
import { waitFor } from '../../../test/support/wait-for.ts';
import type { Adapter } from '../../agents/adapter.ts';
import { AgentId, type SessionId } from '../../protocol/ids.ts';

const mute: Adapter = { ...standInAdapter, id: AgentId.parse('mute'), title: 'Mute', locate: { variable: 'MUTE_PATH', names: [], versionArgs: ['--version'] } };
const env = {
  MUTE_PATH: fileURLToPath(new URL('../../../test/fixtures/never-speaks.sh', import.meta.url)),
  [STAND_IN_VARIABLE]: standIn().command,
};
const SOON_MS = 500;
const NEVER_MS = 600_000;

const create = async (bench: EngineBench, { id }: Adapter): Promise<SessionId> => {
  const sessionId = `s-${randomUUID()}` as SessionId;
  await bench.do({ type: 'session.create', sessionId, agent: id, cwd: bench.folder, options: {} });
  return sessionId;
};
const notices = (bench: EngineBench, id: SessionId, after = 0) => bench.events(id).filter((event) => event.type === 'notice.shown' && event.seq > after);

test('an agent that prints nothing is told with its own error output, and stays starting; also after a restart of the server', async () => {
  const bench = await createEngine({ adapters: [standInAdapter, mute], env, silentStartMs: NEVER_MS });
  const [silent, speaking] = [await create(bench, mute), await create(bench, standInAdapter)];
  const { run } = await bench.event(silent, 'run.opened');
  await bench.event(speaking, 'run.ready');
  await waitFor('its complaint', () => isThere(join(bench.dataDir, 'sessions', silent, run, 'err.log')));
  await bench.reopen({ silentStartMs: SOON_MS });
  const told = await bench.event(silent, 'notice.shown');
  expect(told).toMatchObject({ level: 'warning', text: 'Mute has printed nothing for 0.5 s. Its error output says:\ncannot reach the licence server' });
  expect(bench.engine.session(silent)?.status).toBe('starting');
  expect(notices(bench, speaking)).toEqual([]);
});

const isThere = (path: string): boolean => (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 0;

test('[R181] a silent start is told once a run, by whichever server', async () => {
  const bench = await createEngine({ adapters: [mute], env, silentStartMs: SOON_MS });
  const first = await create(bench, mute);
  await bench.event(first, 'notice.shown');
  await bench.reopen();
  const second = await create(bench, mute);
  await bench.event(second, 'notice.shown');
  expect(notices(bench, first)).toHaveLength(1);
});

test('after its first line, or its end, an agent is not silent any more', async () => {
  const bench = await createEngine({ adapters: [standInAdapter, mute], env, silentStartMs: SOON_MS });
  const [speaking, ended] = [await create(bench, standInAdapter), await create(bench, mute)];
  const ready = await bench.event(speaking, 'run.ready');
  await bench.event(ended, 'run.opened');
  await bench.do({ type: 'session.stop', sessionId: ended });
  const exited = await bench.event(ended, 'session.exited');
  await bench.event(await create(bench, mute), 'notice.shown');
  expect(notices(bench, speaking, ready.seq)).toEqual([]);
  expect(notices(bench, ended, exited.seq)).toEqual([]);
});
