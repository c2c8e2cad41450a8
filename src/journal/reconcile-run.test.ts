import { statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { entry, runRow, sessionOf, spoken } from '../../test/support/journal/samples.ts';
import { temporaryFolder } from '../../test/support/journal/temporary-folders.ts';
import { reconcileRun } from './reconcile-run.ts';
import { openSqliteJournal } from './sqlite/open-journal.ts';

const folder = temporaryFolder();
const A = sessionOf('a');

test('[R84] a run that is ahead of its file after a power loss is reported, and its events are kept', () => {
  const dataDir = folder.make();
  const out = join(dataDir, 'out.ndjson');
  writeFileSync(out, 'first\nsecond\n');
  const before = openSqliteJournal({ dataDir });
  before.append({ ...entry(A, 0, [spoken('first'), spoken('second')]), runs: [runRow(A, 'r1', statSync(out).size)] });
  before.close();

  truncateSync(out, 6);

  const after = openSqliteJournal({ dataDir });
  const [row] = after.openRuns();
  expect(reconcileRun(row!, statSync(out).size)).toEqual({ kind: 'shorter', fileSize: 6, missingBytes: 7 });
  expect(after.lastSeq(A)).toBe(2);
  after.close();
});

test('a file at least as long as the journaled position is followed from there', () => {
  expect(reconcileRun({ outByte: 13 }, 13)).toEqual({ kind: 'follow', fromByte: 13 });
  expect(reconcileRun({ outByte: 13 }, 99)).toEqual({ kind: 'follow', fromByte: 13 });
});
