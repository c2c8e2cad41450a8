import type { FolderEntry } from '../../../../../src/protocol/api/folder.ts';
import type { FolderState } from './folder-store.ts';

/** A line of the tree. */
export type TreeRow =
  | { readonly kind: 'entry'; readonly path: string; readonly entry: FolderEntry; readonly depth: number; readonly isOpen: boolean }
  | { readonly kind: 'words'; readonly path: string; readonly text: string; readonly depth: number };

export function treeRows({ roots = [], folders, open }: FolderState): readonly TreeRow[] {
  const [own, ...given] = roots;
  if (own === undefined) return [];
  const others = given.map((path): TreeRow => ({ kind: 'entry', path, entry: { name: path, kind: 'folder' }, depth: 0, isOpen: open.has(path) }));
  return [...below({ folders, open }, own, 0), ...others.flatMap((row) => [row, ...(open.has(row.path) ? below({ folders, open }, row.path, 1) : [])])];
}

function below(state: Pick<FolderState, 'folders' | 'open'>, path: string, depth: number): readonly TreeRow[] {
  const folder = state.folders.get(path);
  const words = (text: string): TreeRow => ({ kind: 'words', path, text, depth });
  if (folder === undefined) return [words('looking…')];
  if ('problem' in folder) return [words(folder.problem)];
  if (folder.entries.length === 0) return [words('empty')];
  const rows = folder.entries.flatMap((entry): readonly TreeRow[] => {
    const at = `${path === '/' ? '' : path}/${entry.name}`;
    const isOpen = entry.kind === 'folder' && state.open.has(at);
    // A link to a folder may lead to one above it: it is opened like any other, a step at a time.
    return [{ kind: 'entry', path: at, entry, depth, isOpen }, ...(isOpen ? below(state, at, depth + 1) : [])];
  });
  return folder.more ? [...rows, words('and more than are listed')] : rows;
}
