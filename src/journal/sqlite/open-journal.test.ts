import { copyFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { journalContract } from '../../../test/support/journal/contract.ts';
import { accepted, commandOf, entry, receiptOf, runRow, sessionOf, spoken } from '../../../test/support/journal/samples.ts';
import { temporaryFolder } from '../../../test/support/journal/temporary-folders.ts';
import { JournalUnwritable } from '../journal-errors.ts';
import type { Upcaster } from '../upcast.ts';
import { openSqliteJournal } from './open-journal.ts';

journalContract('SQLite', (dataDir) => openSqliteJournal({ dataDir }));

const folder = temporaryFolder();
const A = sessionOf('a');

test('everything is still there after closing and reopening', () => {
  const dataDir = folder.make();
  const first = openSqliteJournal({ dataDir });
  const blob = first.putBlob(new Uint8Array([1, 2, 3]));
  const sends = [{ run: runRow(A, 'r1', 0).run, offset: 0, bytes: new Uint8Array([7, 10]) }];
  first.append({ ...entry(A, 0, [accepted('c1'), spoken('x')]), receipt: receiptOf(A, 'c1', 1), runs: [runRow(A, 'r1', 5)], sends });
  const stored = [first.after(A, 0, 9), first.since(0, 9), first.openRuns(), first.position()];
  first.close();

  const again = openSqliteJournal({ dataDir });
  expect([again.after(A, 0, 9), again.since(0, 9), again.openRuns(), again.position()]).toEqual(stored);
  expect(again.receipt(commandOf('c1'))).toEqual(receiptOf(A, 'c1', 1));
  expect([...again.pendingSends(sends[0]!.run)[0]!.bytes]).toEqual([7, 10]);
  expect([...again.blob(blob.sha256)!]).toEqual([1, 2, 3]);
  expect(again.append(entry(A, 2, [spoken('y')])).map((event) => event.seq)).toEqual([3]);
  again.close();
});

test('a position is never reused, even if the session that had it was forgotten before the restart', () => {
  const dataDir = folder.make();
  const first = openSqliteJournal({ dataDir });
  first.append(entry(A, 0, [spoken('x'), spoken('y')]));
  const position = first.position();
  first.forget(A);
  first.close();
  const again = openSqliteJournal({ dataDir });
  expect(again.position()).toBe(position);
  again.close();
});

test('only their owner can read the files and the folder', async () => {
  const dataDir = join(folder.make(), 'data');
  const journal = openSqliteJournal({ dataDir });
  const blob = journal.putBlob(new Uint8Array([1]));
  journal.append({ ...entry(A, 0, [accepted('c1')]), receipt: receiptOf(A, 'c1', 1) });
  await journal.backup(join(dataDir, 'backup.db'));
  const mode = (...path: string[]) => statSync(join(dataDir, ...path)).mode & 0o777;
  const files = [
    'journal.db',
    'journal.db-wal',
    'journal.db-shm',
    'backup.db',
    join('sessions', 'a', 'people.ndjson'),
    join('blobs', blob.sha256.slice(0, 2), blob.sha256),
  ];
  expect(files.map((file) => [file, mode(file)])).toEqual(files.map((file) => [file, 0o600]));
  expect([mode(), mode('sessions'), mode('sessions', 'a'), mode('blobs')]).toEqual([0o700, 0o700, 0o700, 0o700]);
  journal.close();
});

test('a backup taken during appends is complete and opens as a journal', async () => {
  const [dataDir, copyDir] = [folder.make(), folder.make()];
  const journal = openSqliteJournal({ dataDir });
  for (let seq = 0; seq < 2_000; seq++) journal.append(entry(A, seq, [spoken('x'.repeat(500))]));
  const copied = journal.backup(join(copyDir, 'journal.db'));
  journal.append(entry(A, 2_000, [spoken('during')]));
  await copied;
  journal.close();
  const copy = openSqliteJournal({ dataDir: copyDir });
  expect(copy.lastSeq(A)).toBeGreaterThanOrEqual(2_000);
  expect(copy.after(A, 0, 10_000).map((event) => event.seq)).toEqual(Array.from({ length: copy.lastSeq(A) }, (_, index) => index + 1));
  expect(readdirSync(copyDir).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  copy.close();
});

test('[R8] sync fails, and keeps failing, if the log file was removed', async () => {
  const dataDir = folder.make();
  const journal = openSqliteJournal({ dataDir });
  rmSync(join(dataDir, 'journal.db-wal'));
  journal.append(entry(A, 0, [spoken('x')]));
  await expect(journal.sync()).rejects.toThrow(JournalUnwritable);
  await expect(journal.sync()).rejects.toThrow('somebody removed it');
  journal.close();
});

test('a sync that is running while the journal is closed still resolves correctly', async () => {
  const journal = openSqliteJournal({ dataDir: folder.make() });
  journal.append(entry(A, 0, [spoken('x')]));
  const synced = journal.sync();
  journal.close();
  await synced;
});

test('the log does not grow forever during appends', async () => {
  const dataDir = folder.make();
  const journal = openSqliteJournal({ dataDir });
  for (let seq = 0; seq < 3_000; seq++) {
    journal.append(entry(A, seq, [spoken('x'.repeat(3_000))]));
    if (seq % 50 === 0) await journal.sync();
  }
  // 3,000 appends of four pages would be 48 MB.
  expect(statSync(join(dataDir, 'journal.db-wal')).size).toBeLessThan(12 * 1024 * 1024);
  journal.close();
});

test('a blob that was put again is not lost when the only session that used it is forgotten', () => {
  const journal = openSqliteJournal({ dataDir: folder.make() });
  const blob = journal.putBlob(new Uint8Array([1, 2]));
  journal.append(entry(A, 0, [{ ...spoken('x'), blobs: { text: blob } }]));
  journal.putBlob(new Uint8Array([1, 2]));
  journal.forget(A);
  expect(journal.blob(blob.sha256)?.byteLength).toBe(2);
  journal.close();
});

test('half a blob left by a kill is removed at the next start', () => {
  const dataDir = folder.make();
  openSqliteJournal({ dataDir }).close();
  writeFileSync(join(dataDir, 'blobs', 'left.tmp'), 'half');
  openSqliteJournal({ dataDir }).close();
  expect(readdirSync(join(dataDir, 'blobs'))).toEqual([]);
});

test('a blob can be read by hash only, never by path', () => {
  const journal = openSqliteJournal({ dataDir: folder.make() });
  expect(() => journal.blob('../../journal.db')).toThrow(RangeError);
  journal.close();
});

test('[R86] an event in an old format is read in the new one', () => {
  const dataDir = folder.make();
  const first = openSqliteJournal({ dataDir });
  first.append(entry(A, 0, [spoken('old')]));
  first.close();
  const louder: Upcaster = { type: 'assistant.text', v: 1, up: (body) => ({ ...body, type: 'assistant.text', v: 2, text: `${body.text}!` }) };
  const again = openSqliteJournal({ dataDir, upcasters: [louder] });
  expect(again.after(A, 0, 1)).toMatchObject([{ seq: 1, v: 2, text: 'old!' }]);
  again.close();
});

test('closing leaves everything in one file', () => {
  const [dataDir, copyDir] = [folder.make(), folder.make()];
  const journal = openSqliteJournal({ dataDir });
  journal.append(entry(A, 0, [spoken('x')]));
  journal.close();
  copyFileSync(join(dataDir, 'journal.db'), join(copyDir, 'journal.db'));
  const copy = openSqliteJournal({ dataDir: copyDir });
  expect(copy.lastSeq(A)).toBe(1);
  copy.close();
});
