import { watch as fsWatch } from 'node:fs';

/** Calls `onName` with the name of a file that changed. Throws when the system has no watches left. */
export type Watch = (folder: string, onName: (name: string) => void, onBroken: () => void) => { close(): void };

/** One inotify instance serves all folders of a process. The folder is watched, not the file, so that `exit` is seen at once as well. */
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
