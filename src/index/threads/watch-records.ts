import { type FSWatcher, lstatSync, readdirSync, watch } from 'node:fs';
import { dirname, join } from 'node:path';

/** Folders watched at once: beyond that, changes are found by the next sweep. */
const WATCHED_MAX = 2000;
/** Records are at most this deep below their root. */
const DEPTH_MAX = 6;

interface WatchEvents {
  /** Something was written to this path. */
  file(path: string): void;
  /** There is a new folder, or one that was awaited. */
  folder(): void;
}

/** Reports files that change below some folders, as far as the system reports them. It only speeds things up: sweeps find every change. */
export class RecordWatch {
  readonly #watchers = new Map<string, { readonly watcher: FSWatcher; readonly identity: string }>();
  /** Missing roots: several can be awaited in one folder. */
  #awaited: readonly string[] = [];

  constructor(private readonly events: WatchEvents) {}

  /** Watches every folder below these roots; for a missing root, the nearest existing folder above it. */
  cover(roots: readonly string[]): void {
    for (const [folder, { identity }] of this.#watchers) if (identityOf(folder) !== identity) this.#drop(folder);
    const exists = (root: string): boolean => nearest(root) === root;
    for (const root of roots.filter(exists)) this.#cover(root, 0);
    this.#awaited = roots.filter((root) => !exists(root));
    for (const root of this.#awaited) this.#watch(nearest(root), (path) => this.#isAwaited(path) && this.events.folder());
  }

  close(): void {
    for (const { watcher } of this.#watchers.values()) watcher.close();
    this.#watchers.clear();
  }

  #cover(folder: string, depth: number): void {
    if (depth > DEPTH_MAX || !this.#watch(folder, (path) => this.#changed(path, depth))) return;
    for (const name of foldersIn(folder)) this.#cover(join(folder, name), depth + 1);
  }

  #changed(path: string, depth: number): void {
    if (!isFolder(path)) return this.events.file(path);
    if (this.#watchers.has(path)) return;
    this.#cover(path, depth + 1);
    this.events.folder();
  }

  #isAwaited(path: string): boolean {
    return this.#awaited.some((root) => isBelow(root, path));
  }

  #watch(folder: string, onChange: (path: string) => void): boolean {
    if (this.#watchers.has(folder)) return true;
    const identity = identityOf(folder);
    if (identity === undefined || this.#watchers.size >= WATCHED_MAX) return false;
    try {
      const watcher = watch(folder, { persistent: false }, (_kind, name) => onChange(name === null ? folder : join(folder, name)));
      watcher.on('error', () => this.#drop(folder));
      this.#watchers.set(folder, { watcher, identity });
      return true;
    } catch {
      return false;
    }
  }

  /** A folder that is gone, or can't be watched, is watched again when it is back. */
  #drop(folder: string): void {
    this.#watchers.get(folder)?.watcher.close();
    this.#watchers.delete(folder);
  }
}

/** The folder itself, or the nearest existing one above it. */
function nearest(folder: string): string {
  return isFolder(folder) || dirname(folder) === folder ? folder : nearest(dirname(folder));
}

const isBelow = (root: string, path: string): boolean => root === path || root.startsWith(`${path}/`);

/** A folder that can't be read can't be watched. */
function isFolder(path: string): boolean {
  return identityOf(path) !== undefined;
}

/** Identifies a folder: one created later under the same name has another identity. */
function identityOf(path: string): string | undefined {
  try {
    const stat = lstatSync(path);
    return stat.isDirectory() ? `${stat.dev} ${stat.ino} ${stat.birthtimeMs}` : undefined;
  } catch {
    return undefined;
  }
}

/** Links are not followed: they can lead outside the agent's folder. */
function foldersIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
  } catch {
    return [];
  }
}
