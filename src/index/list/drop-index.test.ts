import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { eventsFrom, idOf, prompt, writerAt } from '../../../test/support/index/index-samples.ts';
import { temporaryFolder } from '../../../test/support/journal/temporary-folders.ts';
import { dropIndexAhead } from './drop-index.ts';

const folder = temporaryFolder();
const created = { type: 'session.created', agent: 'demo', cwd: '/p', node: 'n', owner: 'o', options: {} };

/** An index that has followed the journal up to this position. */
function indexAt(position: number): string {
  const dataDir = folder.make();
  const writer = writerAt(join(dataDir, 'library.db'));
  writer.follow(eventsFrom([created, prompt('zebra')]).map((event, index) => ({ position: position - 1 + index, session: idOf('a'), event })));
  writer.close();
  return dataDir;
}

test('an index that is ahead of its journal is deleted; any other is kept', () => {
  const dataDir = indexAt(7);
  const path = join(dataDir, 'library.db');
  expect([dropIndexAhead(dataDir, 8), dropIndexAhead(dataDir, 7)]).toEqual([false, false]);
  const kept = writerAt(path);
  expect(kept.position()).toBe(7);
  kept.close();
  expect(dropIndexAhead(dataDir, 6)).toBe(true);
  expect(['', '-wal', '-shm'].map((suffix) => existsSync(path + suffix))).toEqual([false, false, false]);
  const recreated = writerAt(path);
  expect(recreated.position()).toBe(0);
  recreated.close();
});

test('a missing or damaged index is left alone, without an error', () => {
  const dataDir = folder.make();
  expect([dropIndexAhead(dataDir, 0), existsSync(join(dataDir, 'library.db'))]).toEqual([false, false]);
  writeFileSync(join(dataDir, 'library.db'), 'garbage '.repeat(2_000));
  expect(dropIndexAhead(dataDir, 0)).toBe(false);
});
