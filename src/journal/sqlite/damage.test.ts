import { closeSync, cpSync, openSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { accepted, entry, sessionOf, spoken } from '../../../test/support/journal/samples.ts';
import { temporaryFolder } from '../../../test/support/journal/temporary-folders.ts';
import type { Journal } from '../journal.ts';
import { JournalDamaged, JournalTooNew } from '../journal-errors.ts';
import { openDatabase } from '../sqlite-driver.ts';
import { openSqliteJournal } from './open-journal.ts';

const folder = temporaryFolder();
const A = sessionOf('a');

const damages: readonly (readonly [string, (path: string) => void])[] = [
  ['cut in half', (path) => truncateSync(path, Math.floor(statSync(path).size / 2))],
  ['with a garbage first page', (path) => scribble(path, 0)],
  ['with garbage in the middle', (path) => scribble(path, Math.floor(statSync(path).size / 8192) * 4096)],
  ['that is empty', (path) => truncateSync(path, 0)],
  ['that is missing', (path) => rmSync(path)],
];

for (const [name, damage] of damages) {
  test(`[R82] a journal ${name} reports that it is damaged and how to recover`, () => {
    const dataDir = filled();
    damage(join(dataDir, 'journal.db'));
    expect(() => readAll(dataDir)).toThrow(JournalDamaged);
    expect(() => readAll(dataDir)).toThrow('signalbox doctor --rebuild');
  });
}

test('a row with content we never wrote counts as damage', () => {
  const dataDir = filled();
  const db = openDatabase(join(dataDir, 'journal.db'));
  db.exec(`UPDATE events SET body = '{"type":"assist' WHERE seq = 7`);
  db.close();
  expect(() => readAll(dataDir)).toThrow(JournalDamaged);
});

test('[R81] a journal from a newer Signalbox is refused with an explanation and not changed', () => {
  const dataDir = filled();
  const path = join(dataDir, 'journal.db');
  const db = openDatabase(path);
  db.exec('PRAGMA user_version = 99');
  db.close();
  const before = readFileSync(path);
  expect(() => openSqliteJournal({ dataDir })).toThrow(JournalTooNew);
  expect(() => openSqliteJournal({ dataDir })).toThrow('newer Signalbox (schema 99');
  expect(readFileSync(path).equals(before)).toBe(true);
});

test('a journal whose rebuild did not finish is not opened', () => {
  const dataDir = filled();
  writeFileSync(join(dataDir, 'journal.rebuilding'), '');
  expect(() => openSqliteJournal({ dataDir })).toThrow('did not finish');
});

function filled(): string {
  const dataDir = folder.make();
  const journal = openSqliteJournal({ dataDir });
  journal.append(entry(A, 0, [accepted('c1')]));
  for (let seq = 1; seq < 400; seq++) journal.append(entry(A, seq, [spoken(`${seq} `.repeat(200))]));
  journal.close();
  return copied(dataDir);
}

/** Only the files on disk, without anything SQLite may still have in this process. */
function copied(dataDir: string): string {
  const copyDir = folder.make();
  cpSync(join(dataDir, 'journal.db'), join(copyDir, 'journal.db'));
  cpSync(join(dataDir, 'sessions'), join(copyDir, 'sessions'), { recursive: true });
  return copyDir;
}

function readAll(dataDir: string): void {
  const journal: Journal = openSqliteJournal({ dataDir });
  try {
    journal.after(A, 0, 10_000);
  } finally {
    journal.close();
  }
}

function scribble(path: string, at: number): void {
  const fd = openSync(path, 'r+');
  writeSync(fd, Buffer.alloc(4096 * 4, 0xa5), 0, 4096 * 4, at);
  closeSync(fd);
}
