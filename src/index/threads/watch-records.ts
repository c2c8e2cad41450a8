import { type FSWatcher, lstatSync, readdirSync, watch } from 'node:fs';
import { dirname, join } from 'node:path';

/** Folders that are watched at once: beyond that, what changes is found by the next look at all records. */
const WATCHED_MAX = 2000;
/** Records lie at most this deep below their root. */
const DEPTH_MAX = 6;

interface Heard {
  /** Something was written to this path. */
  file(path: string): void;
  /** There is a folder that was not there before, or one that was waited for. */
  folder(): void;
}

/** Tells of files that change below some folders, as far as the system tells it. Nobody may rely on it: it only makes looking earlier. */
export class RecordWatch {
  readonly #watchers = new Map<string, { readonly watcher: FSWatcher; readonly identity: string }>();
  /** Roots that are not there: several may be waited for in one folder. */
  #awaited: readonly string[] = [];

  constructor(private readonly heard: Heard) {}

  /** Watches every folder below these that is not watched yet; of one that is not there, the nearest above it that is. */
  cover(roots: readonly string[]): void {
    for (const [folder, { identity }] of this.#watchers) if (identityOf(folder) !== identity) this.#drop(folder);
    const isThere = (root: string): boolean => nearest(root) === root;
    for (const root of roots.filter(isThere)) this.#cover(root, 0);
    this.#awaited = roots.filter((root) => !isThere(root));
    for (const root of this.#awaited) this.#watch(nearest(root), (path) => this.#isAwaited(path) && this.heard.folder());
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
    if (!isFolder(path)) return this.heard.file(path);
    if (this.#watchers.has(path)) return;
    this.#cover(path, depth + 1);
    this.heard.folder();
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

  /** A folder that is gone, or may not be watched, is seen again when it is there. */
  #drop(folder: string): void {
    this.#watchers.get(folder)?.watcher.close();
    this.#watchers.delete(folder);
  }
}

/** The folder itself, or the nearest above it that is there. */
function nearest(folder: string): string {
  return isFolder(folder) || dirname(folder) === folder ? folder : nearest(dirname(folder));
}

const isBelow = (root: string, path: string): boolean => root === path || root.startsWith(`${path}/`);

/** What may not be looked at is no folder to watch. */
function isFolder(path: string): boolean {
  return identityOf(path) !== undefined;
}

/** Which folder this is: another of the same name, made later, has another identity. */
function identityOf(path: string): string | undefined {
  try {
    const stat = lstatSync(path);
    return stat.isDirectory() ? `${stat.dev} ${stat.ino} ${stat.birthtimeMs}` : undefined;
  } catch {
    return undefined;
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
