import { createStore, type StoreApi } from 'zustand/vanilla';
import type { FileAnswer } from '../../../../../src/protocol/api/folder.ts';
import type { InspectorApi } from '../../../../client/http/inspector-api.ts';
import { errorText } from '../../../../parts/common/one-at-a-time.ts';

export type Folder = Extract<FileAnswer, { kind: 'folder' }>;
export type ShownFile = Extract<FileAnswer, { kind: 'file' }>;

export interface FolderState {
  /** The session's folders; undefined until loaded. */
  readonly roots: readonly string[] | undefined;
  /** Loaded folders by real path, or why one could not be loaded. */
  readonly folders: ReadonlyMap<string, Folder | { readonly problem: string }>;
  readonly open: ReadonlySet<string>;
  /** The file named in the address, once loaded. */
  readonly shown: { readonly path: string; readonly file?: ShownFile; readonly problem?: string } | undefined;
  readonly problem?: string | undefined;
}

export interface FolderStore {
  readonly store: StoreApi<FolderState>;
  /** Loads the file named in the address, and opens its parent folders. */
  show(path: string | undefined): Promise<void>;
  toggle(path: string): void;
  /** Reloads everything that is open. */
  refresh(): Promise<void>;
}

export function openFolders(api: InspectorApi): FolderStore {
  const store = createStore<FolderState>(() => ({ roots: undefined, folders: new Map(), open: new Set(), shown: undefined }));
  const look = (path: string) => loadFolder(api, store, path);
  /** The path named in the address now: a response for another path is ignored. */
  let wanted = '';
  const showWanted = async () => {
    const path = wanted;
    await showFile(api, store, path, () => wanted === path);
  };
  return {
    store,
    show: async (path = '') => {
      wanted = path;
      if (store.getState().roots === undefined) await loadRoot(api, store);
      if (wanted !== path) return;
      if (path === '') return store.setState({ shown: undefined });
      await showWanted();
      if (wanted !== path) return;
      const { shown, roots } = store.getState();
      if (shown?.file !== undefined) for (const folder of parentFolders(shown.file.path, roots ?? [])) await openFolder(store, folder, look);
    },
    toggle: (path) => {
      const { open } = store.getState();
      if (!open.has(path)) return void openFolder(store, path, look);
      store.setState({ open: new Set([...open].filter((one) => one !== path)) });
    },
    refresh: async () => {
      const { open } = store.getState();
      await loadRoot(api, store);
      await Promise.all([...open].map(look));
      if (store.getState().shown !== undefined) await showWanted();
    },
  };
}

async function loadRoot(api: InspectorApi, store: StoreApi<FolderState>): Promise<void> {
  try {
    const folder = await api.look('.');
    if (folder.kind !== 'folder') return;
    store.setState(({ folders }) => ({ roots: folder.roots, folders: new Map(folders).set(folder.path, folder), problem: undefined }));
  } catch (error) {
    store.setState({ problem: errorText(error) });
  }
}

async function showFile(api: InspectorApi, store: StoreApi<FolderState>, path: string, isWanted: () => boolean): Promise<void> {
  const answer = await api.look(path).catch((error: unknown) => ({ problem: errorText(error) }));
  if (!isWanted()) return;
  if ('problem' in answer) return store.setState({ shown: { path, problem: answer.problem } });
  if (answer.kind === 'file') return store.setState({ shown: { path, file: answer } });
  // A folder opens in the tree; no file is shown.
  store.setState(({ folders, open }) => ({ shown: undefined, folders: new Map(folders).set(answer.path, answer), open: new Set(open).add(answer.path) }));
}

async function loadFolder(api: InspectorApi, store: StoreApi<FolderState>, path: string): Promise<void> {
  const answer = await api.look(path).catch((error: unknown) => ({ problem: errorText(error) }));
  const folder = 'problem' in answer || answer.kind === 'folder' ? answer : { problem: 'This is no longer a folder.' };
  store.setState(({ folders }) => ({ folders: new Map(folders).set(path, folder) }));
}

async function openFolder(store: StoreApi<FolderState>, path: string, look: (path: string) => Promise<void>): Promise<void> {
  store.setState(({ open }) => ({ open: new Set(open).add(path) }));
  if (!store.getState().folders.has(path)) await look(path);
}

/** The folders from the session's root down to a file. */
function parentFolders(path: string, roots: readonly string[]): readonly string[] {
  const root = roots.find((one) => path.startsWith(`${one}/`));
  if (root === undefined) return [];
  const names = path.slice(root.length + 1).split('/');
  return names.slice(0, -1).map((_, at) => [root, ...names.slice(0, at + 1)].join('/'));
}
