import type { FolderEntry } from '../../../../../src/protocol/api/folder.ts';
import type { FolderState } from './folder-store.ts';

/** One row of the tree. */
export type TreeRow =
  | { readonly kind: 'entry'; readonly path: string; readonly entry: FolderEntry; readonly depth: number; readonly isOpen: boolean }
  | { readonly kind: 'message'; readonly path: string; readonly text: string; readonly depth: number };

export function treeRows({ roots = [], folders, open }: FolderState): readonly TreeRow[] {
  const [own, ...others] = roots;
  if (own === undefined) return [];
  const otherRows = others.map((path): TreeRow => ({ kind: 'entry', path, entry: { name: path, kind: 'folder' }, depth: 0, isOpen: open.has(path) }));
  return [...below({ folders, open }, own, 0), ...otherRows.flatMap((row) => [row, ...(open.has(row.path) ? below({ folders, open }, row.path, 1) : [])])];
}

function below(state: Pick<FolderState, 'folders' | 'open'>, path: string, depth: number): readonly TreeRow[] {
  const folder = state.folders.get(path);
  const message = (text: string): TreeRow => ({ kind: 'message', path, text, depth });
  if (folder === undefined) return [message('Loading…')];
  if ('problem' in folder) return [message(folder.problem)];
  if (folder.entries.length === 0) return [message('Empty')];
  const rows = folder.entries.flatMap((entry): readonly TreeRow[] => {
    const at = `${path === '/' ? '' : path}/${entry.name}`;
    const isOpen = entry.kind === 'folder' && state.open.has(at);
    // A link may point to a parent folder. It opens one level at a time, so that is no endless loop.
    return [{ kind: 'entry', path: at, entry, depth, isOpen }, ...(isOpen ? below(state, at, depth + 1) : [])];
  });
  return folder.more ? [...rows, message('More entries not shown')] : rows;
}
