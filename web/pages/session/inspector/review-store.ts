import { createStore, type StoreApi } from 'zustand/vanilla';
import type { ChangedFile, SessionChanges, TreeBase, TreeFile, WorkingTree } from '../../../../src/protocol/api/changes.ts';
import type { InspectorApi } from '../../../client/http/inspector-api.ts';
import { errorText, oneAtATime } from '../../../parts/common/one-at-a-time.ts';

/** A changed file, reported by a tool or by git. */
export interface ReviewFile {
  readonly path: string;
  /** Created, edited, deleted, untracked, staged and so on. */
  readonly status: string;
  readonly additions?: number | undefined;
  readonly deletions?: number | undefined;
  readonly edits: ChangedFile['edits'];
  readonly parts: ChangedFile['parts'];
  /** Undefined until loaded. */
  readonly patch?: string | undefined;
  /** A remark on the patch, or why there is none. */
  readonly note?: string | undefined;
}

export interface ReviewState {
  /** Undefined until loaded. */
  readonly files: readonly ReviewFile[] | undefined;
  readonly additions?: number;
  readonly deletions?: number;
  /** What git compares with, or why it can't. */
  readonly tree?: WorkingTree;
  readonly problem?: string | undefined;
}

export interface Review {
  readonly store: StoreApi<ReviewState>;
  refresh(): Promise<void>;
  /** Loads the patch of a file that came into view. */
  need(path: string): void;
}

const CUT = 'Part of this change was too long to keep. Open the call in the transcript for the rest.';

/** Changes reported by the session's tools. */
export function openToolsReview(api: InspectorApi): Review {
  const store = createStore<ReviewState>(() => ({ files: undefined }));
  const take = ({ changes, additions, deletions }: SessionChanges) =>
    store.setState(({ files }) => ({ files: mergePatches(files, changes.map(toolFile)), additions, deletions, problem: undefined }));
  return review(
    store,
    async () => take(await api.changes()),
    async (path) => (await api.changes(path)).changes.map(toolFile)[0],
  );
}

const toolFile = ({ path, kind, additions, deletions, edits, parts, patch, cut }: ChangedFile): ReviewFile => ({
  path,
  status: { create: 'new', edit: 'edited', delete: 'deleted' }[kind],
  additions,
  deletions,
  edits,
  parts,
  patch,
  ...(cut && { note: CUT }),
});

/** Changes that git sees in the folder. */
export function openTreeReview(api: InspectorApi, base: TreeBase): Review {
  const store = createStore<ReviewState>(() => ({ files: undefined }));
  const take = (tree: WorkingTree) =>
    store.setState(({ files }) => ({ tree, files: mergePatches(files, tree.repository ? tree.files.map(treeFile) : []), problem: undefined }));
  return review(
    store,
    async () => take(await api.tree(base)),
    async (path) => {
      const tree = await api.tree(base, path);
      const file = tree.repository ? tree.files.find((one) => one.path === path) : undefined;
      return tree.repository && file !== undefined ? { ...treeFile(file), patch: tree.patch ?? '', note: tree.note } : undefined;
    },
  );
}

const treeFile = ({ path, oldPath, state, staged, unstaged }: TreeFile): ReviewFile => {
  const where = staged ? (unstaged ? ', partly staged' : ', staged') : '';
  return { path, status: `${state}${oldPath === undefined ? '' : ` from ${oldPath}`}${where}`, edits: [], parts: [] };
};

/** A loaded patch stays visible until it is loaded again. */
function mergePatches(before: readonly ReviewFile[] | undefined, now: readonly ReviewFile[]): readonly ReviewFile[] {
  const known = new Map(before?.map((file) => [file.path, file]));
  return now.map((file) => {
    const old = known.get(file.path);
    return file.patch === undefined && old?.patch !== undefined ? { ...old, status: file.status } : file;
  });
}

function review(store: StoreApi<ReviewState>, ask: () => Promise<void>, askFile: (path: string) => Promise<ReviewFile | undefined>): Review {
  const requested = new Set<string>();
  const fetchFile = async (path: string) => {
    const file = await askFile(path).catch((error: unknown): Pick<ReviewFile, 'patch' | 'note'> => ({ patch: '', note: errorText(error) }));
    store.setState(({ files }) => ({ files: files?.map((one) => (one.path === path ? { ...one, ...(file ?? { patch: '' }) } : one)) }));
  };
  const need = (path: string) => {
    if (requested.has(path)) return;
    requested.add(path);
    void fetchFile(path);
  };
  const refresh = oneAtATime(async () => {
    await ask().catch((error: unknown) => store.setState({ problem: errorText(error) }));
    const again = [...requested];
    requested.clear();
    for (const path of again) need(path);
  });
  return { store, refresh, need };
}
