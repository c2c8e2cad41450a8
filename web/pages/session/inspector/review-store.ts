import { createStore, type StoreApi } from 'zustand/vanilla';
import type { ChangedFile, SessionChanges, TreeBase, TreeFile, WorkingTree } from '../../../../src/protocol/api/changes.ts';
import type { SidesApi } from '../../../client/http/inspector-api.ts';
import { latest, problemOf } from './latest.ts';

/** A file under review, whoever tells of it. */
export interface ReviewFile {
  readonly path: string;
  /** Created, edited, deleted, untracked, staged …: in words. */
  readonly words: string;
  readonly additions?: number | undefined;
  readonly deletions?: number | undefined;
  readonly edits: ChangedFile['edits'];
  readonly parts: ChangedFile['parts'];
  /** Undefined until it is fetched. */
  readonly patch?: string | undefined;
  /** What there is to say about the patch, or why there is none. */
  readonly note?: string | undefined;
}

export interface ReviewState {
  /** Undefined until it is known. */
  readonly files: readonly ReviewFile[] | undefined;
  readonly additions?: number;
  readonly deletions?: number;
  /** With what it is compared, or why there is nothing to compare. */
  readonly tree?: WorkingTree;
  readonly problem?: string | undefined;
}

export interface Review {
  readonly store: StoreApi<ReviewState>;
  refresh(): Promise<void>;
  /** Somebody looks at a file whose patch is not here yet. */
  need(path: string): void;
}

const CUT = 'Some of it was too long to be kept whole: open the call in the transcript for the rest.';

/** What the tools of a session told. */
export function openToolsReview(api: SidesApi): Review {
  const store = createStore<ReviewState>(() => ({ files: undefined }));
  const take = ({ changes, additions, deletions }: SessionChanges) =>
    store.setState(({ files }) => ({ files: kept(files, changes.map(toolFile)), additions, deletions, problem: undefined }));
  return review(
    store,
    async () => take(await api.changes()),
    async (path) => (await api.changes(path)).changes.map(toolFile)[0],
  );
}

const toolFile = ({ path, kind, additions, deletions, edits, parts, patch, cut }: ChangedFile): ReviewFile => ({
  path,
  words: { create: 'new', edit: 'edited', delete: 'deleted' }[kind],
  additions,
  deletions,
  edits,
  parts,
  patch,
  ...(cut && { note: CUT }),
});

/** What git says of the folder. */
export function openTreeReview(api: SidesApi, base: TreeBase): Review {
  const store = createStore<ReviewState>(() => ({ files: undefined }));
  const take = (tree: WorkingTree) =>
    store.setState(({ files }) => ({ tree, files: kept(files, tree.repository ? tree.files.map(treeFile) : []), problem: undefined }));
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
  return { path, words: `${state}${oldPath === undefined ? '' : ` from ${oldPath}`}${where}`, edits: [], parts: [] };
};

/** What was fetched of a file stays in sight until it is fetched anew. */
function kept(before: readonly ReviewFile[] | undefined, now: readonly ReviewFile[]): readonly ReviewFile[] {
  const known = new Map(before?.map((file) => [file.path, file]));
  return now.map((file) => {
    const old = known.get(file.path);
    return file.patch === undefined && old?.patch !== undefined ? { ...old, words: file.words } : file;
  });
}

function review(store: StoreApi<ReviewState>, ask: () => Promise<void>, askFile: (path: string) => Promise<ReviewFile | undefined>): Review {
  const asked = new Set<string>();
  const fetchFile = async (path: string) => {
    const file = await askFile(path).catch((error: unknown): Pick<ReviewFile, 'patch' | 'note'> => ({ patch: '', note: problemOf(error) }));
    store.setState(({ files }) => ({ files: files?.map((one) => (one.path === path ? { ...one, ...(file ?? { patch: '' }) } : one)) }));
  };
  const need = (path: string) => {
    if (asked.has(path)) return;
    asked.add(path);
    void fetchFile(path);
  };
  const refresh = latest(async () => {
    await ask().catch((error: unknown) => store.setState({ problem: problemOf(error) }));
    const again = [...asked];
    asked.clear();
    for (const path of again) need(path);
  });
  return { store, refresh, need };
}
