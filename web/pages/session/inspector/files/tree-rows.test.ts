import { expect, test } from 'vitest';
import type { FolderEntry } from '../../../../../src/protocol/api/folder.ts';
import type { Folder, FolderState } from './folder-store.ts';
import { treeRows } from './tree-rows.ts';

const folder = (path: string, entries: FolderEntry[], more = false): Folder => ({ path, root: '/w', roots: ['/w'], kind: 'folder', entries, more });
const state = (folders: readonly Folder[], open: readonly string[], roots = ['/w']): FolderState => ({
  roots,
  folders: new Map(folders.map((one) => [one.path, one])),
  open: new Set(open),
  shown: undefined,
});
const drawn = (of: FolderState) => treeRows(of).map((row) => `${'  '.repeat(row.depth)}${row.kind === 'entry' ? row.entry.name : row.text}`);

test('what is open shows what is in it, and what is not known yet says so', () => {
  const known = [
    folder('/w', [
      { name: 'src', kind: 'folder' },
      { name: 'a', kind: 'file' },
    ]),
    folder('/w/src', [{ name: 'deep', kind: 'folder' }]),
  ];
  expect(drawn(state(known, []))).toEqual(['src', 'a']);
  expect(drawn(state(known, ['/w/src', '/w/src/deep']))).toEqual(['src', '  deep', '    looking…', 'a']);
});

test('a folder with nothing, with too much, or with a problem says what it is; folders that were given besides stand below', () => {
  expect(drawn(state([folder('/w', [])], []))).toEqual(['empty']);
  expect(drawn(state([folder('/w', [{ name: 'a', kind: 'file' }], true)], [], ['/w', '/other']))).toEqual(['a', 'and more than are listed', '/other']);
  const broken = { ...state([], []), folders: new Map([['/w', { problem: 'it is gone' }]]) };
  expect(drawn(broken)).toEqual(['it is gone']);
});
