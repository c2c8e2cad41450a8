import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createEngine } from '../test/support/engine/test-engine.ts';
import { rebuild } from './rebuild.ts';

const OF_THE_OLD_JOURNAL = ['views.db', 'library.db'].flatMap((name) => [name, `${name}-wal`, `${name}-shm`]);

test('with a rebuilt journal everything that knows positions of the old one is made anew', async () => {
  const bench = await createEngine();
  await bench.close();
  for (const name of OF_THE_OLD_JOURNAL) writeFileSync(join(bench.dataDir, name), '');
  expect(await rebuild({ data: bench.dataDir, configuredAgents: {} })).toContainEqual(expect.stringContaining('0 sessions restored'));
  expect(OF_THE_OLD_JOURNAL.filter((name) => existsSync(join(bench.dataDir, name)))).toEqual([]);
  await bench.reopen();
});
