import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { eventsFrom, idOf, prompt, writerAt } from '../../../test/support/index/index-samples.ts';
import { temporaryFolder } from '../../../test/support/journal/temporary-folders.ts';
import { dropLibraryAhead } from './drop-index.ts';

const folder = temporaryFolder();
const created = { type: 'session.created', agent: 'demo', cwd: '/p', node: 'n', owner: 'o', options: {} };

/** A library that has the journal up to this position. */
function libraryAt(position: number): string {
  const dataDir = folder.make();
  const writer = writerAt(join(dataDir, 'library.db'));
  writer.follow(eventsFrom([created, prompt('zebra')]).map((event, index) => ({ position: position - 1 + index, session: idOf('a'), event })));
  writer.close();
  return dataDir;
}

test('a library that is ahead of its journal is begun anew; any other is kept', () => {
  const dataDir = libraryAt(7);
  const path = join(dataDir, 'library.db');
  expect([dropLibraryAhead(dataDir, 8), dropLibraryAhead(dataDir, 7)]).toEqual([false, false]);
  const kept = writerAt(path);
  expect(kept.position()).toBe(7);
  kept.close();
  expect(dropLibraryAhead(dataDir, 6)).toBe(true);
  expect(['', '-wal', '-shm'].map((suffix) => existsSync(path + suffix))).toEqual([false, false, false]);
  const anew = writerAt(path);
  expect(anew.position()).toBe(0);
  anew.close();
});

test('where there is no library, or a damaged one, nothing is dropped and nothing thrown', () => {
  const dataDir = folder.make();
  expect([dropLibraryAhead(dataDir, 0), existsSync(join(dataDir, 'library.db'))]).toEqual([false, false]);
  writeFileSync(join(dataDir, 'library.db'), 'garbage '.repeat(2_000));
  expect(dropLibraryAhead(dataDir, 0)).toBe(false);
});
