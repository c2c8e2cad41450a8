import { expect, test } from 'vitest';
import type { ReviewFile } from '../review-store.ts';
import { nextRow, type ReviewRow, rowsOf, widestOf } from './rows.ts';

const edit = (seq: number) => ({ seq, at: '2026-01-01T00:00:00.000Z', toolUseId: `${seq}`, tool: 'Edit' });
const part = (edits: number, hunks: number) => ({ kind: 'edit' as const, additions: 1, deletions: 1, edits, hunks });
const file = (more: Partial<ReviewFile> = {}): ReviewFile => ({
  path: '/a',
  status: 'edited',
  edits: [edit(1), edit(2)],
  parts: [part(1, 1), part(1, 1)],
  patch: '@@ -1,2 +1,3 @@\n same\n-old\n+new\n+more\n@@ -1,1 +1,1 @@\n-x\n+y\n',
  ...more,
});
const kinds = (rows: readonly ReviewRow[]) => rows.map(({ kind }) => kind);

test('each part is below the calls that made it, and a later part says that something changed in between', () => {
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

test('in the split view deleted lines are beside their replacements', () => {
  const rows = rowsOf([file({ parts: [] })], 'split', new Set());
  expect(rows.flatMap((row) => (row.kind === 'pair' ? [[row.left?.text, row.right?.text]] : []))).toEqual([
    ['same', 'same'],
    ['old', 'new'],
    [undefined, 'more'],
    ['x', 'y'],
  ]);
});

test('a folded file shows its header, a missing patch is loaded, and a file without net change says so', () => {
  expect(kinds(rowsOf([file()], 'unified', new Set(['/a'])))).toEqual(['file']);
  expect(kinds(rowsOf([file({ patch: undefined })], 'unified', new Set()))).toEqual(['file', 'calls', 'wait', 'gap']);
  expect(kinds(rowsOf([file({ patch: '' })], 'unified', new Set()))).toEqual(['file', 'calls', 'note', 'gap']);
});

test('keys find the next hunk or file and stop at the ends', () => {
  const rows = rowsOf([file(), file({ path: '/b' })], 'unified', new Set());
  expect(nextRow(rows, 0, 1, 'file')).toBe(12);
  expect(nextRow(rows, 12, 1, 'file')).toBeUndefined();
  expect(nextRow(rows, 12, -1, 'hunk')).toBe(8);
});

test('the diff is as wide as its longest line, up to a limit', () => {
  const wide = (text: string) => widestOf(rowsOf([file({ patch: `@@ -0,0 +1,1 @@\n+${text}\n` })], 'unified', new Set()));
  expect(wide('x'.repeat(50)) - wide('x'.repeat(40))).toBe(10);
  expect(wide('x'.repeat(1_000_000))).toBeLessThan(2100);
});
