import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { TOY, toyArchive } from '../../../test/support/archive/toy-archive.ts';
import { ReportedNews, textOf, textOfEvent } from '../../../test/support/archive/toy-setup.ts';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { archivedIdOf } from '../../agents/port/archived-id.ts';
import { openDatabase } from '../../journal/sqlite-driver.ts';
import { openArchiveIndexer } from '../open-indexer.ts';
import { openArchiveReader } from '../open-reader.ts';
import { openKeptReader } from './kept-reader.ts';
import { openKeeper } from './open-keeper.ts';

const LINES = textOf([
  { id: 'a', parent: null, ask: 'remember the word trumpet' },
  { id: 'b', parent: 'a', say: 'trumpet it is' },
]);

/** The archive over a folder of records, with copies, as one server sets it up. */
function setup() {
  const [root, dataDir] = [temporaryFolder('records'), temporaryFolder('data')];
  const agents = [{ id: TOY, archive: toyArchive(root) }];
  const open = () => {
    const keeper = openKeeper({ dataDir, roots: () => [root], mayWrite: () => true, now: () => Date.now() + 60_000 });
    return openArchiveIndexer({ dataDir, agents, env: {}, news: new ReportedNews(), now: () => performance.now(), keeper, copies: keeper });
  };
  const copies = openKeptReader({ dataDir });
  const reader = openArchiveReader({ dataDir, agents, copies });
  const now = { indexer: open() };
  onTestFinished(() => {
    now.indexer.close();
    reader.close();
    copies.close();
  });
  return {
    root,
    now,
    copies,
    indexAll: () => {
      now.indexer.sweep();
      while (now.indexer.step() || now.indexer.copy());
    },
    reopen: () => {
      now.indexer.close();
      now.indexer = open();
    },
    transcript: (session: string) => reader.events(archivedIdOf(TOY, session), { limit: 100 }).map((event) => `${event.seq} ${textOfEvent(event)}`),
  };
}

test('a deleted session is read from its copy under the same numbers, and is the same session once restored', () => {
  const { root, now, indexAll, transcript } = setup();
  const path = join(root, 's1.jsonl');
  writeFileSync(path, LINES);
  indexAll();
  const before = transcript('s1');
  expect(before).toEqual(['1 > remember the word trumpet', '2 trumpet it is']);
  rmSync(path);
  indexAll();
  expect(now.indexer.kept()).toMatchObject({ files: 1, gone: 1 });
  expect(transcript('s1')).toEqual(before);
  expect(now.indexer.restore(archivedIdOf(TOY, 's1'))).toMatchObject({ paths: [path], bytes: LINES.length });
  indexAll();
  expect(readFileSync(path, 'utf8')).toBe(LINES);
  expect(now.indexer.kept().gone).toBe(0);
  expect(transcript('s1')).toEqual(before);
});

test('what was read but not copied when the server ended is copied by the next server', () => {
  const { root, now, indexAll, reopen } = setup();
  writeFileSync(join(root, 's1.jsonl'), LINES);
  now.indexer.keep(false);
  indexAll();
  reopen();
  now.indexer.keep(true);
  indexAll();
  expect(now.indexer.kept()).toMatchObject({ on: true, files: 1 });
});

test('a part is restored with its session and its companion', () => {
  const { root, now, indexAll } = setup();
  mkdirSync(join(root, 's1/parts'), { recursive: true });
  writeFileSync(join(root, 's1.jsonl'), LINES);
  writeFileSync(join(root, 's1/parts/p1.jsonl'), textOf([{ id: 'c', parent: null, say: 'from a part' }]));
  writeFileSync(join(root, 's1/parts/p1.meta'), 'call-1');
  indexAll();
  rmSync(join(root, 's1'), { recursive: true });
  indexAll();
  expect(now.indexer.restore(archivedIdOf(TOY, 's1')).paths).toEqual(['s1/parts/p1.jsonl', 's1/parts/p1.meta'].map((path) => join(root, path)));
  expect(existsSync(join(root, 's1/parts/p1.meta'))).toBe(true);
});

test('the rows of a conversation in a database are copied, and restoring them is refused with a message', () => {
  const { root, now, indexAll, copies } = setup();
  const path = join(root, 'all.sqlite');
  const db = openDatabase(path);
  db.exec('CREATE TABLE rows (conversation TEXT, row INTEGER, line TEXT, packed BLOB)');
  db.prepare("INSERT INTO rows VALUES ('c1', 1, ?, NULL)").run(JSON.stringify({ id: 'a', parent: null, ask: 'in a database' }));
  db.close();
  indexAll();
  expect(copies.rows(path, 'c1', 0, 10)).toEqual([{ row: 1, line: expect.stringContaining('in a database') }]);
  expect(() => now.indexer.restore(archivedIdOf(TOY, 'c1'))).toThrow('is in a database of its agent');
});
