import type { Unreadable } from '../../protocol/api/archive.ts';
import type { AgentId } from '../../protocol/ids.ts';
import { conversationName, type KnownFile, type KnownRecords, type Looks, type Place } from '../known-records.ts';
import type { FileRow } from '../rows.ts';
import { wordsOf } from './error-words.ts';
import type { Lines } from './file-reading.ts';
import { type Conversation, type DatabaseKind, ForeignDatabase, looksOfDatabase, type NumberedLine } from './foreign-database.ts';
import { RowLines } from './row-lines.ts';

interface KnownDatabase extends Place {
  readonly agent: AgentId;
  readonly kind: DatabaseKind;
  stat: Looks;
  looks: string;
  isDue: boolean;
  problem?: string;
}

/** Databases in which agents keep many conversations each. */
export class Databases {
  private readonly known = new Map<string, KnownDatabase>();
  private readonly opened = new Map<string, ForeignDatabase>();

  constructor(private readonly records: KnownRecords) {}

  /** A sweep met it: when it, or its log, is not what it was, its conversations are looked at. */
  met(agent: AgentId, place: Place, kind: DatabaseKind, stat: Looks): void {
    const looks = looksOfDatabase(place.path);
    const database = this.known.get(place.path) ?? { agent, ...place, kind, stat, looks: '', isDue: false };
    this.known.set(place.path, database);
    database.stat = stat;
    database.isDue ||= looks !== database.looks || database.problem !== undefined;
    database.looks = looks;
  }

  /** Looks at the conversations of one database that changed; those that have grown or are new are `changed`. False when none is due. */
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

  /** The lines of a conversation from a row on. */
  lines(row: FileRow, conversation: string): Lines {
    const database = this.database(row.path);
    return new RowLines((after, limit) => database.rows(conversation, after, limit), row.offset);
  }

  /** For whoever keeps copies. */
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

  /** Whoever has a database open keeps its own program from tidying up behind itself: between readings nobody does. */
  close(): void {
    for (const database of this.opened.values()) database.close();
    this.opened.clear();
  }

  private conversationsOf(database: KnownDatabase): readonly Conversation[] | undefined {
    try {
      return this.database(database.path).conversations();
    } catch (error) {
      database.problem = wordsOf(error);
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

  /** The conversation, when it has other rows than before. */
  private conversation(database: KnownDatabase, id: string, lastRow: number): KnownFile | undefined {
    const looks = { ...database.stat, size: lastRow };
    const file = this.records.of(database.agent).get(conversationName(database.path, id));
    if (file === undefined) return this.records.addConversation(database.agent, id, database, looks);
    if (lastRow < file.row.offset) return this.records.replace(file, looks);
    if (lastRow === file.row.size && file.row.isWhole) return undefined;
    Object.assign(file.row, { size: lastRow, mtimeMs: looks.mtimeMs, isWhole: false });
    file.isDue = true;
    return file;
  }

  private database(path: string): ForeignDatabase {
    const opened = this.opened.get(path);
    if (opened !== undefined && !opened.isOutdated()) return opened;
    this.forget(path);
    const kind = this.known.get(path)?.kind;
    if (kind === undefined) throw new Error(`${path} is no database that was met`);
    const database = ForeignDatabase.open(path, kind);
    this.opened.set(path, database);
    return database;
  }

  private forget(path: string): void {
    this.opened.get(path)?.close();
    this.opened.delete(path);
  }
}

/** A row that cannot be read is not copied as if what is said of it were the row. */
function toKept({ row, text, problem }: NumberedLine): { readonly row: number; readonly line: string } {
  if (problem !== undefined) throw new Error(problem);
  return { row, line: text };
}

/** Of a conversation's beginning and end, for a glance. */
const END_ROWS = 20;
