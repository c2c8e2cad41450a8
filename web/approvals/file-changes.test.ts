import { expect, test } from 'vitest';
import { changesOf } from './file-changes.ts';

const signs = { add: '+', del: '-', same: ' ', hunk: '@' } as const;
const drawn = (input: Record<string, unknown>, paths = ['a.ts']) =>
  changesOf(paths, input).map(({ path, lines, note }) => [path, lines.map((line) => signs[line.kind] + line.text), note]);

test('an edit is a difference, a whole file is all new', () => {
  expect(drawn({ file_path: 'a.ts', old_string: 'x\ny', new_string: 'x\nz' })).toEqual([['a.ts', [' x', '-y', '+z'], undefined]]);
  expect(drawn({ file_path: 'a.ts', content: 'x\n' })).toEqual([['a.ts', ['+x'], 'the whole file']]);
});

test('an edit that replaces everywhere says so', () => {
  expect(drawn({ old_string: 'x', new_string: 'y', replace_all: true })).toEqual([['a.ts', ['-x', '+y'], 'everywhere in the file']]);
});

test('several edits of one file are one change, several files are several', () => {
  const edits = [
    { old_string: 'a', new_string: 'b' },
    { old_string: 'c', new_string: 'd' },
  ];
  expect(drawn({ file_path: 'a.ts', edits })).toEqual([['a.ts', ['-a', '+b', '@and further', '-c', '+d'], undefined]]);
  const files = edits.map((edit, at) => ({ ...edit, path: `${at}.ts` }));
  expect(drawn({ changes: files }).map(([path]) => path)).toEqual(['0.ts', '1.ts']);
});

test('arguments that cannot be read as a change are left to be shown as they are', () => {
  expect(drawn({ cell: 3 })).toEqual([]);
});
