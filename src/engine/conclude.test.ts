import { expect, test } from 'vitest';
import { createEngine } from '../../test/support/engine.ts';
import { standIn } from '../../test/support/stand-in.ts';
import { STAND_IN_VARIABLE, standInAdapter } from '../../test/support/stand-in-adapter/index.ts';
import { waitFor } from '../../test/support/wait-for.ts';
import { createProcessScan } from '../host/processes.ts';
import type { SessionId } from '../protocol/ids.ts';

// Found by the chaos test, seed 1: the end was journaled first, the server was killed before the sweep, and the next one had no reason to sweep.
test('when the end of an agent is told, what its tools had started is gone', async () => {
  const bench = await createEngine({ adapters: [standInAdapter], env: { [STAND_IN_VARIABLE]: standIn().command } });
  const sessionId = 's1' as SessionId;
  const scan = createProcessScan();
  await bench.do({ type: 'session.create', sessionId, agent: standInAdapter.id, cwd: bench.folder, options: {}, prompt: 'tool 60000' });
  const { run } = await bench.event(sessionId, 'run.opened');
  await bench.event(sessionId, 'tool.started');
  const pid = await waitFor('its pid', () => bench.engine.session(sessionId)?.pid);
  const told = new Promise<void>((resolve) => {
    bench.engine.watch(sessionId, (news) => {
      if (news.kind === 'events' && news.events.some((event) => event.type === 'session.exited')) resolve();
    });
  });
  process.kill(pid, 'SIGKILL');
  await told;
  expect((await scan()).filter((one) => one.run === run)).toEqual([]);
});
