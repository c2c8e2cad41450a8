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

test('an open folder shows its entries, or that it is loading', () => {
  const known = [
    folder('/w', [
      { name: 'src', kind: 'folder' },
      { name: 'a', kind: 'file' },
    ]),
    folder('/w/src', [{ name: 'deep', kind: 'folder' }]),
  ];
  expect(drawn(state(known, []))).toEqual(['src', 'a']);
  expect(drawn(state(known, ['/w/src', '/w/src/deep']))).toEqual(['src', '  deep', '    Loading…', 'a']);
});

test('a folder says if it is empty, incomplete or unreadable; additional folders come last', () => {
  expect(drawn(state([folder('/w', [])], []))).toEqual(['Empty']);
  expect(drawn(state([folder('/w', [{ name: 'a', kind: 'file' }], true)], [], ['/w', '/other']))).toEqual(['a', 'More entries not shown', '/other']);
  const broken = { ...state([], []), folders: new Map([['/w', { problem: 'it is gone' }]]) };
  expect(drawn(broken)).toEqual(['it is gone']);
});
