import { watch as fsWatch } from 'node:fs';

/** Calls `onName` with the name of a changed file. Throws when the system has no watches left. */
export type Watch = (folder: string, onName: (name: string) => void, onBroken: () => void) => { close(): void };

/** One inotify instance serves all folders of a process. The folder is watched, not the file, so that `exit` is noticed at once as well. */
export const watchFolder: Watch = (folder, onName, onBroken) => {
  const watcher = fsWatch(folder, { persistent: false }, (_, name) => {
    if (name !== null) onName(name);
  });
  watcher.once('error', () => {
    watcher.close();
    onBroken();
  });
  return watcher;
};

/** One folder's watch, which can be missing, broken, or closed for a while. */
export interface FolderWatch {
  readonly isOpen: boolean;
  /** False if no watch is available. */
  open(): boolean;
  close(): void;
}

export function createFolderWatch(watch: Watch, folder: string, onName: (name: string) => void): FolderWatch {
  let watcher: { close(): void } | undefined;
  const close = (): void => {
    watcher?.close();
    watcher = undefined;
  };
  const tryWatch = (): { close(): void } | undefined => {
    try {
      return watch(folder, onName, () => {
        watcher = undefined;
      });
    } catch {
      return undefined; // EMFILE, ENOSPC: no watches left. ENOENT: no such run, which the caller detects from the files
    }
  };
  return {
    get isOpen() {
      return watcher !== undefined;
    },
    open: () => {
      watcher ??= tryWatch();
      return watcher !== undefined;
    },
    close,
  };
}
