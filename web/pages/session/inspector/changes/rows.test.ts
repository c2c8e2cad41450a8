import { expect, test } from 'vitest';
import type { ReviewFile } from '../review-store.ts';
import { nextRow, type ReviewRow, rowsOf, widestOf } from './rows.ts';

const edit = (seq: number) => ({ seq, at: '2026-01-01T00:00:00.000Z', toolUseId: `${seq}`, tool: 'Edit' });
const part = (edits: number, hunks: number) => ({ kind: 'edit' as const, additions: 1, deletions: 1, edits, hunks });
const file = (more: Partial<ReviewFile> = {}): ReviewFile => ({
  path: '/a',
  words: 'edited',
  edits: [edit(1), edit(2)],
  parts: [part(1, 1), part(1, 1)],
  patch: '@@ -1,2 +1,3 @@\n same\n-old\n+new\n+more\n@@ -1,1 +1,1 @@\n-x\n+y\n',
  ...more,
});
const kinds = (rows: readonly ReviewRow[]) => rows.map(({ kind }) => kind);

test('each part stands below the calls it came from, and a later one says that something came between', () => {
  const rows = rowsOf([file()], 'unified', new Set());
  expect(kinds(rows)).toEqual(['file', 'calls', 'hunk', 'line', 'line', 'line', 'line', 'calls', 'hunk', 'line', 'line', 'gap']);
  expect(rows.flatMap((row) => (row.kind === 'calls' ? [[row.isLater, row.edits.map(({ seq }) => seq)]] : []))).toEqual([
    [false, [1]],
    [true, [2]],
  ]);
});

test('[R299] a hunk of any length is laid out', () => {
  const patch = `@@ -0,0 +1,300000 @@\n${'+\n'.repeat(300_000)}`;
  expect(rowsOf([file({ patch, parts: [part(2, 1)] })], 'unified', new Set())).toHaveLength(300_004);
});

test('side by side, what goes stands beside what comes in its place', () => {
  const rows = rowsOf([file({ parts: [] })], 'split', new Set());
  expect(rows.flatMap((row) => (row.kind === 'pair' ? [[row.left?.text, row.right?.text]] : []))).toEqual([
    ['same', 'same'],
    ['old', 'new'],
    [undefined, 'more'],
    ['x', 'y'],
  ]);
});

test('a folded file is its head, one that is not here yet waits, and one of which nothing is left says so', () => {
  expect(kinds(rowsOf([file()], 'unified', new Set(['/a'])))).toEqual(['file']);
  expect(kinds(rowsOf([file({ patch: undefined })], 'unified', new Set()))).toEqual(['file', 'calls', 'wait', 'gap']);
  expect(kinds(rowsOf([file({ patch: '' })], 'unified', new Set()))).toEqual(['file', 'calls', 'note', 'gap']);
});

test('keys find the next place and stop at the ends', () => {
  const rows = rowsOf([file(), file({ path: '/b' })], 'unified', new Set());
  expect(nextRow(rows, 0, 1, 'file')).toBe(12);
  expect(nextRow(rows, 12, 1, 'file')).toBeUndefined();
  expect(nextRow(rows, 12, -1, 'hunk')).toBe(8);
});

test('the sheet is as wide as its longest line, and a line without end does not make it endless', () => {
  const wide = (text: string) => widestOf(rowsOf([file({ patch: `@@ -0,0 +1,1 @@\n+${text}\n` })], 'unified', new Set()));
  expect(wide('x'.repeat(50)) - wide('x'.repeat(40))).toBe(10);
  expect(wide('x'.repeat(1_000_000))).toBeLessThan(2100);
});
