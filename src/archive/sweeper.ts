import { lstatSync, realpathSync, type Stats } from 'node:fs';
import { dirname } from 'node:path';
import type { AgentArchive } from '../agents/port/archive.ts';
import type { Unreadable } from '../protocol/api/archive.ts';
import type { AgentId } from '../protocol/ids.ts';
import type { FileStats, KnownFile, KnownRecords, RecordPath } from './known-records.ts';
import type { Databases } from './records/agent-databases.ts';
import { describeError } from './records/describe-error.ts';
import type { DatabaseKind } from './records/foreign-database.ts';
import { walk, walkFolder } from './records/walk-folders.ts';

export interface ArchivedAgent {
  readonly id: AgentId;
  readonly archive: AgentArchive;
}

/** Files that SQLite keeps next to a database, and changes before the database itself. */
const LOG_OF_DATABASE = /-(?:wal|shm|journal)$/;

type Env = Readonly<Record<string, string>>;

/** Checks the files below the roots, by `stat` alone, and finds those that are due. */
export class Sweeper {
  private count = 0;
  private readonly foundDatabases = new Set<string>();
  private readonly folders = new Map<string, Unreadable>();

  constructor(
    private readonly agents: readonly ArchivedAgent[],
    private readonly env: Env,
    private readonly records: KnownRecords,
    private readonly databases: Databases,
    /** Called for a file that is new, changed or gone. */
    private readonly changed: (file: KnownFile) => void,
  ) {}

  sweep(): void {
    this.count += 1;
    this.folders.clear();
    this.foundDatabases.clear();
    for (const agent of this.agents) {
      for (const root of agent.archive.roots(this.env)) walk(root, this.visitor(agent));
      this.missed(agent);
    }
  }

  /** Checks one path, which may be new, changed or gone. Ignores what a sweep would not find. */
  touched(path: string): void {
    for (const agent of this.agents) {
      for (const root of agent.archive.roots(this.env)) this.touchedBelow(agent, root, path);
    }
  }

  /** Folders that could not be read. */
  unreadable(): readonly Unreadable[] {
    return [...this.folders.values()];
  }

  private touchedBelow(agent: ArchivedAgent, root: string, path: string): void {
    const real = realOf(root);
    const place = real === undefined ? undefined : inside(real, root, path);
    if (real === undefined || place === undefined) return;
    const full = `${real}/${place.replace(LOG_OF_DATABASE, '')}`;
    const known = this.records.of(agent.id).get(full);
    const stat = lstatSync(full, { throwIfNoEntry: false });
    if (stat === undefined && known !== undefined) return this.vanished(known);
    if (stat === undefined || realOf(dirname(full)) !== dirname(full)) return;
    const relative = full.slice(real.length + 1);
    if (stat.isDirectory()) return walkFolder(real, `${relative}/`, this.visitor(agent));
    if (stat.isFile()) this.file(agent, real, relative, () => stat);
  }

  private visitor(agent: ArchivedAgent) {
    return {
      file: (root: string, relative: string, stat: () => Stats | undefined) => this.file(agent, root, relative, stat),
      unreadable: (path: string, error: unknown) => this.folders.set(path, { path, agent: agent.id, reason: describeError(error) }),
    };
  }

  private file(agent: ArchivedAgent, root: string, relative: string, stat: () => Stats | undefined): void {
    const path = `${root}/${relative}`;
    const known = this.records.of(agent.id).get(path);
    if (known !== undefined) return this.compare(known, stat(), agent.archive.version);
    const kind = agent.archive.recordOf(relative);
    if (kind === undefined) return;
    const found = stat();
    if (found === undefined) return;
    if (kind.kind === 'database') return this.foundDatabase(agent, { root, path }, kind, found);
    const file = this.records.addLines(agent.id, kind, { root, path }, fileStatsOf(found));
    file.sweep = this.count;
    this.changed(file);
  }

  private foundDatabase(agent: ArchivedAgent, place: RecordPath, kind: DatabaseKind, stat: Stats): void {
    this.foundDatabases.add(place.path);
    this.databases.met(agent.id, place, kind, fileStatsOf(stat));
  }

  private compare(file: KnownFile, stat: Stats | undefined, version: number): void {
    if (stat === undefined) return;
    file.sweep = this.count;
    const { row } = file;
    if (stat.size === row.size && stat.mtimeMs === row.mtimeMs && stat.ino === row.inode) return this.unchanged(file, version);
    this.differs(file, fileStatsOf(stat));
  }

  /** A file read by an older adapter is due, and a partial line that stays unchanged may be complete without its newline. */
  private unchanged(file: KnownFile, version: number): void {
    const { row, half } = file;
    const isHalf = half?.is === 'waiting' && half.size === row.size;
    const isOld = row.version !== version && row.offset > 0;
    if (file.isDue || !(isHalf || isOld)) return;
    if (isHalf) file.half = { size: row.size, is: 'tried' };
    file.isDue = true;
    this.changed(file);
  }

  private differs(file: KnownFile, stats: FileStats): void {
    const { row } = file;
    // A file that was only touched counts as the same; its bytes are checked when it is opened.
    const isOther = stats.inode !== row.inode || stats.size < row.offset;
    const now = isOther ? this.records.replace(file, stats) : file;
    Object.assign(now.row, { size: stats.size, mtimeMs: stats.mtimeMs, isWhole: false });
    now.sweep = this.count;
    now.isDue = true;
    this.changed(now);
  }

  /** Files the sweep did not find. Below an unreadable folder, nothing is known to be gone. */
  private missed(agent: ArchivedAgent): void {
    const missed: KnownFile[] = [];
    for (const file of this.records.of(agent.id).values()) if (!this.isFound(file)) missed.push(file);
    for (const file of missed) if (![...this.folders.keys()].some((folder) => file.row.path.startsWith(folder))) this.vanished(file);
  }

  private isFound({ row, sweep }: KnownFile): boolean {
    return row.isDatabase ? this.foundDatabases.has(row.path) : sweep === this.count;
  }

  private vanished(file: KnownFile): void {
    this.records.vanish(file);
    this.changed(file);
  }
}

const fileStatsOf = ({ size, mtimeMs, ino, birthtimeMs }: Stats): FileStats => ({ size, mtimeMs, inode: ino, bornMs: birthtimeMs });

function realOf(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

/** The path below a root, given with the root's own path or its real one. */
function inside(real: string, root: string, path: string): string | undefined {
  const base = [real, root].find((one) => path.startsWith(`${one}/`));
  const place = base === undefined ? undefined : path.slice(base.length + 1);
  return place === undefined || place.split('/').includes('..') ? undefined : place;
}
