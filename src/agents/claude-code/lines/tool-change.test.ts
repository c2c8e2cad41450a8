import { expect, test } from 'vitest';
import { changeOf } from './tool-change.ts';

test('a new file is a patch that adds every line', () => {
  const created = { type: 'create', filePath: '/w.txt', content: 'one\ntwo\n', structuredPatch: [], originalFile: null };
  expect(changeOf(created)).toEqual({ kind: 'create', path: '/w.txt', patch: '@@ -0,0 +1,2 @@\n+one\n+two' });
});

test('a new file without a final newline says so', () => {
  const created = { type: 'create', filePath: '/w.txt', content: 'one', structuredPatch: [] };
  expect(changeOf(created)?.patch).toBe('@@ -0,0 +1,1 @@\n+one\n\\ No newline at end of file');
});

test('an edit becomes its hunks', () => {
  const hunk = { oldStart: 1, oldLines: 2, newStart: 1, newLines: 2, lines: [' alpha', '-beta', '+BETA'] };
  const edited = { filePath: '/e.txt', oldString: 'beta', newString: 'BETA', structuredPatch: [hunk, { ...hunk, oldStart: 9, newStart: 9 }] };
  expect(changeOf(edited)).toEqual({
    kind: 'edit',
    path: '/e.txt',
    patch: '@@ -1,2 +1,2 @@\n alpha\n-beta\n+BETA\n@@ -9,2 +9,2 @@\n alpha\n-beta\n+BETA',
  });
});

const others: readonly (readonly [string, unknown])[] = [
  ['an error text', 'Error: Exit code 3'],
  ['a read', { type: 'text', file: { filePath: '/e.txt' } }],
  ['a command', { stdout: '', stderr: '' }],
  ['nothing', undefined],
  ['an edit that changed nothing', { filePath: '/e.txt', structuredPatch: [] }],
];
for (const [name, details] of others) test(`${name} is not a change`, () => expect(changeOf(details)).toBeUndefined());
