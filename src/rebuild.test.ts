import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createEngine } from '../test/support/engine/test-engine.ts';
import { rebuild } from './rebuild.ts';

const DERIVED_FILES = ['views.db', 'library.db'].flatMap((name) => [name, `${name}-wal`, `${name}-shm`]);

test('a rebuild deletes the databases that refer to positions of the old journal', async () => {
  const bench = await createEngine();
  await bench.close();
  for (const name of DERIVED_FILES) writeFileSync(join(bench.dataDir, name), '');
  expect(await rebuild({ data: bench.dataDir, configuredAgents: {} })).toContainEqual(expect.stringContaining('0 sessions restored'));
  expect(DERIVED_FILES.filter((name) => existsSync(join(bench.dataDir, name)))).toEqual([]);
  await bench.reopen();
});
