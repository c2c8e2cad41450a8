import { join } from 'node:path';
import { expect, test } from 'vitest';
import { accepted, entry, receiptOf, sessionOf, spoken } from '../../../test/support/journal/samples.ts';
import { temporaryFolder } from '../../../test/support/journal/temporary-folders.ts';
import { JournalUnwritable } from '../journal-errors.ts';
import { openDatabase } from '../sqlite-driver.ts';
import { JOURNAL_STEPS, migrate } from './schema.ts';
import { SqliteJournal } from './sqlite-journal.ts';

const folder = temporaryFolder();
const A = sessionOf('a');

test('an append without disk space fails with a clear message, leaves nothing behind, and works once there is space', () => {
  const path = join(folder.make(), 'journal.db');
  const db = openDatabase(path);
  migrate(db, path, JOURNAL_STEPS);
  const journal = new SqliteJournal(path, db, {});
  db.exec('PRAGMA max_page_count = 60');
  const large = { ...entry(A, 0, [accepted('c1'), spoken('x'.repeat(400_000))]), receipt: receiptOf(A, 'c1', 1) };
  expect(() => journal.append(large)).toThrow(JournalUnwritable);
  expect([journal.lastSeq(A), journal.since(0, 9), journal.receipt(large.receipt.commandId), journal.sessions()]).toEqual([0, [], undefined, []]);

  db.exec('PRAGMA max_page_count = 6000');
  expect(journal.append(large).map((event) => event.seq)).toEqual([1, 2]);
  journal.close();
});
