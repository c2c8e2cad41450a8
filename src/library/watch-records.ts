import { type FSWatcher, readdirSync, watch } from 'node:fs';
import { join } from 'node:path';

/** Folders that are watched at once: beyond that, what changes is found by the next look at all records. */
const WATCHED_MAX = 2000;
/** Records lie at most this deep below their root. */
const DEPTH_MAX = 5;

/** Tells of files that change below some folders, as far as the system tells it. Nobody may rely on it: it only makes looking earlier. */
export class RecordWatch {
  readonly #watchers = new Map<string, FSWatcher>();

  constructor(private readonly onChange: (path: string) => void) {}

  /** Watches every folder below these that is not watched yet. */
  cover(roots: readonly string[]): void {
    for (const root of roots) this.#cover(root, 0);
  }

  close(): void {
    for (const watcher of this.#watchers.values()) watcher.close();
    this.#watchers.clear();
  }

  #cover(folder: string, depth: number): void {
    if (depth > DEPTH_MAX || !this.#watch(folder)) return;
    for (const name of foldersIn(folder)) this.#cover(join(folder, name), depth + 1);
  }

  #watch(folder: string): boolean {
    if (this.#watchers.has(folder)) return true;
    if (this.#watchers.size >= WATCHED_MAX) return false;
    try {
      const watcher = watch(folder, { persistent: false }, (_kind, name) => this.onChange(name === null ? folder : join(folder, name)));
      watcher.on('error', () => this.#drop(folder));
      this.#watchers.set(folder, watcher);
      return true;
    } catch {
      return false;
    }
  }

  /** A folder that is gone, or may not be watched, is seen again when it is there. */
  #drop(folder: string): void {
    this.#watchers.get(folder)?.close();
    this.#watchers.delete(folder);
  }
}

/** A link to a folder is not gone through: what lies behind it may be anybody's. */
function foldersIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
  } catch {
    return [];
  }
}
