import { join } from 'node:path';
import { closeDatabase, compactDatabase, type Database, intOf, openDatabase, transactions } from '../journal/sqlite-driver.ts';
import type { AgentId, SessionId } from '../protocol/ids.ts';
import { type Facts, NO_FACTS } from './facts.ts';
import { ArchiveQueries, Statements } from './queries.ts';
import { type BranchState, type Known, packTips } from './records/branching.ts';
import type { Identity } from './records/identity.ts';
import type { FileRow, LineRow, SessionRow } from './rows.ts';
import { migrateArchive } from './schema.ts';

export const archivePath = (dataDir: string): string => join(dataDir, 'archive.db');

/** archive.db for the one thread that writes it. */
export class ArchiveStore extends ArchiveQueries {
  /** All of the work, or none of it. */
  readonly transaction: <T>(work: () => T) => T;
  private isOpen = true;

  private constructor(
    private readonly db: Database,
    private readonly path: string,
    sql: Statements,
  ) {
    super(sql);
    this.transaction = markingFaults(transactions(db), sql);
  }

  static open(dataDir: string): ArchiveStore {
    const path = archivePath(dataDir);
    const db = openDatabase(path);
    try {
      migrateArchive(db, path);
      // The log is checkpointed every 16 MB: more often would only rewrite the same pages.
      db.exec('PRAGMA wal_autocheckpoint = 4000; PRAGMA cache_size = -4000');
      return new ArchiveStore(db, path, new Statements(db));
    } catch (error) {
      db.close();
      throw error;
    }
  }

  /** Whether an error comes from archive.db itself, and says nothing about the record. */
  isFault(error: unknown): boolean {
    return this.sql.isFault(error);
  }

  addSession(id: SessionId, agent: AgentId, agentSessionId: string): SessionRow {
    const sql = `INSERT INTO sessions (id, agent, agent_session, last_seq, active, facts) VALUES (?, ?, ?, 0, 1, ?) RETURNING key`;
    const row = this.sql.get(sql, id, agent, agentSessionId, JSON.stringify(NO_FACTS));
    return { key: row === undefined ? 0 : intOf(row, 'key'), id, agent, agentSessionId, lastSeq: 0, active: 1, facts: NO_FACTS };
  }

  saveSession({ key, lastSeq, active, facts }: SessionRow): void {
    this.sql.run('UPDATE sessions SET last_seq = ?, active = ?, facts = ? WHERE key = ?', lastSeq, active, JSON.stringify(facts satisfies Facts), key);
  }

  setParent(session: number, parent: number, seq: number): void {
    this.sql.run('UPDATE sessions SET parent = ?, parent_seq = ? WHERE key = ?', parent, seq, session);
  }

  addFile(file: Omit<FileRow, 'key'>): FileRow {
    const sql = `INSERT INTO files (session, root, path, part, companion, is_database, size, mtime_ms, inode, born_ms, offset, mark, version, last_at, branch, is_whole, is_gone)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING key`;
    const named = [file.session, file.root, file.path, file.part ?? null, file.companion ?? null, Number(file.isDatabase)];
    const row = this.sql.get(sql, ...named, file.size, file.mtimeMs, file.inode, file.bornMs, ...progressOf(file));
    return { ...file, key: row === undefined ? 0 : intOf(row, 'key') };
  }

  saveFile(file: FileRow): void {
    const sql = `UPDATE files SET size = ?, mtime_ms = ?, inode = ?, offset = ?, mark = ?, version = ?, last_at = ?, branch = ?, is_whole = ?, is_gone = ?
      WHERE key = ?`;
    this.sql.run(sql, file.size, file.mtimeMs, file.inode, ...progressOf(file), file.key);
  }

  saveBranch(session: number, { branch, from, lastSeq, at, events, title, tips }: BranchState): void {
    const values = [session, branch, from?.branch ?? null, from?.seq ?? null, lastSeq, at ?? null, events, title ?? null, packTips(tips)];
    this.sql.run('INSERT OR REPLACE INTO branches VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)', ...values);
  }

  addLines(session: number, lines: readonly LineRow[]): void {
    const values = lines.map(({ seq, events, skip, file, place, bytes, branch, at }) => [session, seq, events, skip, file, place, bytes, branch, at ?? null]);
    this.sql.insert('INSERT INTO lines', values);
  }

  putIdentities(session: number, identities: readonly (readonly [Identity, Known])[]): void {
    const values = identities.map(([identity, { seq, given, branch }]) => [session, identity, seq, given, branch]);
    this.sql.insert('INSERT OR REPLACE INTO identities', values);
  }

  /** The line has moved. Numbers it got later move with it. */
  moveLine(session: number, { seq, given }: Known, to: { readonly file: number; readonly place: number; readonly bytes: number }): void {
    const line = this.lineOf(session, seq);
    if (line === undefined || (line.file === to.file && line.place === to.place)) return;
    const isSplit = given > line.events;
    const where = isSplit ? 'file = ? AND place = ?' : 'seq = ?';
    const values = isSplit ? [line.file, line.place] : [seq];
    this.sql.run(`UPDATE lines SET file = ?, place = ?, bytes = ? WHERE session = ? AND ${where}`, to.file, to.place, to.bytes, session, ...values);
  }

  addSpend(session: number, identity: Identity, { seq, file, place, bytes, at }: Omit<LineRow, 'events' | 'skip' | 'branch'>): void {
    this.sql.run('INSERT OR REPLACE INTO spends VALUES (?, ?, ?, ?, ?, ?, ?)', session, seq, identity, file, place, bytes, at ?? null);
  }

  moveSpend(session: number, identity: Identity, to: { readonly file: number; readonly place: number; readonly bytes: number }): void {
    const sql = 'UPDATE spends SET file = ?, place = ?, bytes = ? WHERE session = ? AND identity = ?';
    this.sql.run(sql, to.file, to.place, to.bytes, session, identity);
  }

  /** Counts a text of the file, and returns how often it occurred before. */
  countRepeat(file: number, identity: Identity): number {
    const sql = 'INSERT INTO repeats VALUES (?, ?, 1) ON CONFLICT DO UPDATE SET count = count + 1 RETURNING count';
    const row = this.sql.get(sql, file, identity);
    return row === undefined ? 0 : intOf(row, 'count') - 1;
  }

  forgetRepeats(file: number): void {
    this.sql.run('DELETE FROM repeats WHERE file = ?', file);
  }

  addHead(session: number, identity: Identity): void {
    this.sql.run('INSERT OR IGNORE INTO heads VALUES (?, ?)', identity, session);
  }

  /** Other sessions of the same agent that start with the same lines. */
  sessionsWithSameStart({ key, agent }: SessionRow): readonly SessionRow[] {
    const sql = `SELECT DISTINCT theirs.session AS key FROM heads ours JOIN heads theirs USING (identity)
      JOIN sessions ON sessions.key = theirs.session WHERE ours.session = ? AND theirs.session <> ? AND sessions.agent = ? LIMIT 20`;
    return this.sql.all(sql, key, key, agent).flatMap((row) => this.sessionByKey(intOf(row, 'key')) ?? []);
  }

  /** How many lines two sessions share, and the last shared event of the first one. */
  shared(one: number, other: number): { readonly lines: number; readonly seq: number } {
    const sql = `SELECT count(*) AS lines, coalesce(max(a.seq + max(a.given, 1) - 1), 0) AS seq
      FROM identities a JOIN identities b ON b.session = ? AND b.identity = a.identity WHERE a.session = ?`;
    const row = this.sql.get(sql, other, one);
    return row === undefined ? { lines: 0, seq: 0 } : { lines: intOf(row, 'lines'), seq: intOf(row, 'seq') };
  }

  addBlob(sha: Uint8Array, session: number, seq: number): void {
    this.sql.run('INSERT OR IGNORE INTO blobs VALUES (?, ?, ?)', sha, session, seq);
  }

  take(agent: AgentId, agentSessionId: string, base: number): void {
    this.sql.run('INSERT OR REPLACE INTO taken VALUES (?, ?, ?)', agent, agentSessionId, base);
  }

  /** Nothing to write for now. */
  rest(): void {
    compactDatabase(this.db, this.path);
  }

  close(): void {
    if (this.isOpen) closeDatabase(this.db);
    this.isOpen = false;
  }
}

/** An error of the transaction itself is marked as a fault of the database; an error of its work passes unchanged. */
const markingFaults =
  (transaction: <T>(work: () => T) => T, sql: Statements): (<T>(work: () => T) => T) =>
  (work) => {
    let thrown: { readonly error: unknown } | undefined;
    const tracked = () => {
      try {
        return work();
      } catch (error) {
        thrown = { error };
        throw error;
      }
    };
    try {
      return transaction(tracked);
    } catch (error) {
      if (thrown !== undefined && thrown.error === error) throw error;
      return sql.guarded(() => {
        throw error;
      });
    }
  };

const progressOf = (file: Omit<FileRow, 'key'>) =>
  [file.offset, file.mark, file.version, file.lastAt ?? null, file.branch, Number(file.isWhole), Number(file.isGone)] as const;
