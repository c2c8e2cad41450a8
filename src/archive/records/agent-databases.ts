import type { Unreadable } from '../../protocol/api/archive.ts';
import type { AgentId } from '../../protocol/ids.ts';
import { conversationName, type FileStats, type KnownFile, type KnownRecords, type RecordPath } from '../known-records.ts';
import type { FileRow } from '../rows.ts';
import { describeError } from './describe-error.ts';
import type { Lines } from './file-reading.ts';
import { type Conversation, type DatabaseKind, databaseStamp, ForeignDatabase, type NumberedLine } from './foreign-database.ts';
import { RowLines } from './row-lines.ts';

interface KnownDatabase extends RecordPath {
  readonly agent: AgentId;
  readonly kind: DatabaseKind;
  stat: FileStats;
  stamp: string;
  isDue: boolean;
  problem?: string;
}

/** Databases in which agents store many conversations each. */
export class Databases {
  private readonly known = new Map<string, KnownDatabase>();
  private readonly opened = new Map<string, ForeignDatabase>();

  constructor(private readonly records: KnownRecords) {}

  /** A sweep found it: if it or its log changed, its conversations are checked. */
  met(agent: AgentId, place: RecordPath, kind: DatabaseKind, stat: FileStats): void {
    const stamp = databaseStamp(place.path);
    const database = this.known.get(place.path) ?? { agent, ...place, kind, stat, stamp: '', isDue: false };
    this.known.set(place.path, database);
    database.stat = stat;
    database.isDue ||= stamp !== database.stamp || database.problem !== undefined;
    database.stamp = stamp;
  }

  /** Checks the conversations of one changed database, and calls `changed` for new and grown ones. False if none is due. */
  step(changed: (file: KnownFile) => void): boolean {
    for (const database of this.known.values()) {
      if (!database.isDue) continue;
      database.isDue = false;
      delete database.problem;
      this.look(database, this.conversationsOf(database), changed);
      return true;
    }
    return false;
  }

  isDue(): boolean {
    return [...this.known.values()].some((database) => database.isDue);
  }

  unreadable(): readonly Unreadable[] {
    return [...this.known.values()].flatMap(({ path, agent, problem }) => (problem === undefined ? [] : [{ path, agent, reason: problem }]));
  }

  /** The lines of a conversation, starting at a row. */
  lines(row: FileRow, conversation: string): Lines {
    const database = this.database(row.path);
    return new RowLines((after, limit) => database.rows(conversation, after, limit), row.offset);
  }

  /** For the keeper of copies. */
  rows(path: string, conversation: string, after: number, limit: number): readonly { readonly row: number; readonly line: string }[] {
    return this.database(path).rows(conversation, after, limit).map(toKept);
  }

  /** The first and the last rows of a conversation, as text. */
  ends(row: FileRow, conversation: string): { readonly head: string; readonly tail: string } {
    const text = (after: number) =>
      this.database(row.path)
        .rows(conversation, after, END_ROWS)
        .map((line) => `${line.text}\n`)
        .join('');
    return { head: text(0), tail: row.size <= END_ROWS ? '' : text(row.size - END_ROWS) };
  }

  /** An open connection keeps the database's own program from cleaning up, so none stays open between reads. */
  close(): void {
    for (const database of this.opened.values()) database.close();
    this.opened.clear();
  }

  private conversationsOf(database: KnownDatabase): readonly Conversation[] | undefined {
    try {
      return this.database(database.path).conversations();
    } catch (error) {
      database.problem = describeError(error);
      this.forget(database.path);
      return undefined;
    }
  }

  private look(database: KnownDatabase, found: readonly Conversation[] | undefined, changed: (file: KnownFile) => void): void {
    if (found === undefined) return;
    const files = this.records.of(database.agent);
    const names = new Set(found.map(({ id }) => conversationName(database.path, id)));
    for (const file of [...files.values()]) {
      if (!file.row.isDatabase || file.row.path !== database.path || names.has(conversationName(database.path, file.session.row.agentSessionId))) continue;
      this.records.vanish(file);
      changed(file);
    }
    for (const { id, lastRow } of found) {
      const file = this.conversation(database, id, lastRow);
      if (file !== undefined) changed(file);
    }
  }

  /** The conversation, if it has different rows than before. */
  private conversation(database: KnownDatabase, id: string, lastRow: number): KnownFile | undefined {
    const stats = { ...database.stat, size: lastRow };
    const file = this.records.of(database.agent).get(conversationName(database.path, id));
    if (file === undefined) return this.records.addConversation(database.agent, id, database, stats);
    if (lastRow < file.row.offset) return this.records.replace(file, stats);
    if (lastRow === file.row.size && file.row.isWhole) return undefined;
    Object.assign(file.row, { size: lastRow, mtimeMs: stats.mtimeMs, isWhole: false });
    file.isDue = true;
    return file;
  }

  private database(path: string): ForeignDatabase {
    const opened = this.opened.get(path);
    if (opened !== undefined && !opened.isOutdated()) return opened;
    this.forget(path);
    const kind = this.known.get(path)?.kind;
    if (kind === undefined) throw new Error(`${path} is not a known database`);
    const database = ForeignDatabase.open(path, kind);
    this.opened.set(path, database);
    return database;
  }

  private forget(path: string): void {
    this.opened.get(path)?.close();
    this.opened.delete(path);
  }
}

/** An unreadable row is not copied: its text only describes it. */
function toKept({ row, text, problem }: NumberedLine): { readonly row: number; readonly line: string } {
  if (problem !== undefined) throw new Error(problem);
  return { row, line: text };
}

/** Rows at each end of a conversation, for a quick look. */
const END_ROWS = 20;
