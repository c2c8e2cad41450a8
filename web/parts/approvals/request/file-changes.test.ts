import { expect, test } from 'vitest';
import { changesOf } from './file-changes.ts';

const signs = { add: '+', del: '-', same: ' ', hunk: '@', end: '\\' } as const;
const drawn = (input: Record<string, unknown>, paths = ['a.ts']) =>
  changesOf(paths, input).changes.map(({ path, lines, note }) => [path, lines.map((line) => signs[line.kind] + line.text), note]);

test('an edit is a diff, full content is all added', () => {
  expect(drawn({ file_path: 'a.ts', old_string: 'x\ny', new_string: 'x\nz' })).toEqual([['a.ts', [' x', '-y', '+z'], undefined]]);
  expect(drawn({ file_path: 'a.ts', content: 'x\n' })).toEqual([['a.ts', ['+x'], 'full content']]);
});

test('an edit that replaces everywhere says so', () => {
  expect(drawn({ old_string: 'x', new_string: 'y', replace_all: true })).toEqual([['a.ts', ['-x', '+y'], 'everywhere in the file']]);
});

const edits = [
  { old_string: 'a', new_string: 'b' },
  { old_string: 'c', new_string: 'd', replace_all: true },
];

test('several edits of one file are one change, several files are several', () => {
  expect(drawn({ file_path: 'a.ts', edits })).toEqual([['a.ts', ['@edit 1', '-a', '+b', '@edit 2, everywhere in the file', '-c', '+d'], undefined]]);
  const files = edits.map((edit, at) => ({ ...edit, path: `${at}.ts` }));
  expect(drawn({ changes: files }, ['0.ts', '1.ts']).map(([path]) => path)).toEqual(['0.ts', '1.ts']);
});

test('arguments that are not a change are left over unchanged', () => {
  expect(changesOf(['a.ts'], { cell: 3 })).toEqual({ changes: [], rest: { cell: 3 } });
});

const rests = [
  ['none when all are shown', { file_path: 'a.ts', old_string: 'x', new_string: 'y', replace_all: true }, {}],
  ['none for a default', { old_string: 'x', new_string: 'y', replace_all: false }, {}],
  ['a deleted cell', { notebook_path: 'a.ts', cell_id: 'c1', edit_mode: 'delete', new_source: '' }, { cell_id: 'c1', edit_mode: 'delete' }],
  ['a path that differs from the real one', { file_path: 'harmless.md', old_string: 'x', new_string: 'y' }, { file_path: 'harmless.md' }],
  ['the content beside a patch', { file_path: 'a.ts', patch: '+x', content: 'evil' }, { content: 'evil' }],
  ['a second name for the same argument', { old_string: 'x', new_string: 'y', new_str: 'evil' }, { new_str: 'evil' }],
  ['a replace_all that is not a boolean', { old_string: 'x', new_string: 'y', replace_all: 'true' }, { replace_all: 'true' }],
  ['the path of a part', { edits: [{ path: 'harmless.md', old_string: 'x', new_string: 'y' }] }, { 'edits 1': { path: 'harmless.md' } }],
  ['odd parts', { edits: ['evil', { odd: 1 }, edits[0]], more: 1 }, { 'edits 1': 'evil', 'edits 2': { odd: 1 }, more: 1 }],
  ['a second list', { edits: [edits[0]], changes: ['evil'] }, { changes: ['evil'] }],
  ['a change beside a list', { edits: [edits[0]], content: 'evil' }, { content: 'evil' }],
] as const;
for (const [name, input, rest] of rests) {
  test(`arguments that no change shows are left over: ${name}`, () => {
    const found = changesOf(['a.ts'], input);
    expect(found.changes.map(({ path }) => path)).toEqual(['a.ts']);
    expect(found.rest).toEqual(rest);
  });
}

test('a single change for several files is ambiguous, so it is not read as a change', () => {
  expect(changesOf(['a.ts', 'b.ts'], { content: 'x' }).changes).toEqual([]);
});
