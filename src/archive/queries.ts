import { type Database, intOf, type Row, type SqlValue, type Statement } from '../journal/sqlite-driver.ts';
import type { AgentId, SessionId } from '../protocol/ids.ts';
import type { BranchState, Known } from './records/branching.ts';
import type { Identity } from './records/identity.ts';
import { type FileRow, type LineRow, type SessionRow, toBranch, toFile, toKnown, toLine, toSession } from './rows.ts';

const ROWS_AT_ONCE = 32;

/** Prepared statements, each prepared once. */
export class Statements {
  private readonly prepared = new Map<string, Statement>();

  private readonly faults = new WeakSet<object>();

  constructor(readonly db: Database) {}

  /** Whether an error comes from this database, and not from what was read in the meantime. */
  isFault(error: unknown): boolean {
    return typeof error === 'object' && error !== null && this.faults.has(error);
  }

  /** Marks what `work` throws as a fault of this database. */
  guarded<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      if (typeof error === 'object' && error !== null) this.faults.add(error);
      throw error;
    }
  }

  all(sql: string, ...values: readonly SqlValue[]): readonly Row[] {
    return this.guarded(() => this.of(sql).all(...values));
  }

  get(sql: string, ...values: readonly SqlValue[]): Row | undefined {
    return this.guarded(() => this.of(sql).get(...values));
  }

  run(sql: string, ...values: readonly SqlValue[]): number {
    return this.guarded(() => Number(this.of(sql).run(...values).changes));
  }

  /** Inserting many rows at once costs half as much as one by one. */
  insert(into: string, rows: readonly (readonly SqlValue[])[]): void {
    for (let from = 0; from < rows.length; ) {
      const count = rows.length - from >= ROWS_AT_ONCE ? ROWS_AT_ONCE : 1;
      const chunk = rows.slice(from, from + count);
      const marks = chunk.map((row) => `(${row.map(() => '?').join(', ')})`).join(', ');
      this.run(`${into} VALUES ${marks}`, ...chunk.flat());
      from += count;
    }
  }

  private of(sql: string): Statement {
    const known = this.prepared.get(sql);
    if (known) return known;
    const statement = this.db.prepare(sql);
    this.prepared.set(sql, statement);
    return statement;
  }
}

/** Queries of archive.db, for the thread that writes it and those that only read. */
export class ArchiveQueries {
  constructor(protected readonly sql: Statements) {}

  session(id: SessionId): SessionRow | undefined {
    return mapped(this.sql.get('SELECT * FROM sessions WHERE id = ?', id), toSession);
  }

  sessionByKey(key: number): SessionRow | undefined {
    return mapped(this.sql.get('SELECT * FROM sessions WHERE key = ?', key), toSession);
  }

  sessions(): readonly SessionRow[] {
    return this.sql.all('SELECT * FROM sessions').map(toSession);
  }

  files(session: number): readonly FileRow[] {
    return this.sql.all('SELECT * FROM files WHERE session = ? ORDER BY key', session).map(toFile);
  }

  allFiles(): readonly FileRow[] {
    return this.sql.all('SELECT * FROM files ORDER BY key').map(toFile);
  }

  branches(session: number): Map<number, BranchState> {
    const rows = this.sql.all('SELECT * FROM branches WHERE session = ? ORDER BY branch', session).map(toBranch);
    return new Map(rows.map((branch) => [branch.branch, branch]));
  }

  identity(session: number, identity: Identity): Known | undefined {
    return mapped(this.sql.get('SELECT seq, given, branch FROM identities WHERE session = ? AND identity = ?', session, identity), toKnown);
  }

  /** Lines of a branch that start above `after` and not above `upTo`, ascending. */
  linesAfter(session: number, branch: number, after: number, upTo: number, limit: number): readonly LineRow[] {
    const where = 'session = ? AND seq > ? AND seq <= ? AND branch = ?';
    return this.sql.all(`SELECT * FROM lines WHERE ${where} ORDER BY seq LIMIT ?`, session, after, upTo, branch, limit).map(toLine);
  }

  /** The same, descending. */
  linesBefore(session: number, branch: number, before: number, after: number, limit: number): readonly LineRow[] {
    const where = 'session = ? AND seq < ? AND seq > ? AND branch = ?';
    return this.sql.all(`SELECT * FROM lines WHERE ${where} ORDER BY seq DESC LIMIT ?`, session, before, after, branch, limit).map(toLine);
  }

  /** The line that an event was read from. */
  lineOf(session: number, seq: number): LineRow | undefined {
    const line = mapped(this.sql.get('SELECT * FROM lines WHERE session = ? AND seq <= ? ORDER BY seq DESC LIMIT 1', session, seq), toLine);
    return line !== undefined && seq < line.seq + line.events ? line : undefined;
  }

  /** Lines of all branches that start at this number or later. */
  linesFrom(session: number, seq: number, limit: number): readonly LineRow[] {
    return this.sql.all('SELECT * FROM lines WHERE session = ? AND seq >= ? ORDER BY seq LIMIT ?', session, seq, limit).map(toLine);
  }

  /** The end of the last line of a file with events not above `upTo`. */
  numberedEnd(session: number, file: number, upTo: number): number {
    const sql = 'SELECT max(place + bytes) AS end FROM lines WHERE session = ? AND file = ? AND seq <= ?';
    return Number(this.sql.get(sql, session, file, upTo)?.end ?? 0);
  }

  /** Lines with usage only, attached to an event above `after` and not above `upTo`. */
  spends(session: number, after: number, upTo: number): readonly LineRow[] {
    const sql = 'SELECT *, 0 AS events, 0 AS skip, 0 AS branch FROM spends WHERE session = ? AND seq > ? AND seq <= ? ORDER BY seq, file, place';
    return this.sql.all(sql, session, after, upTo).map(toLine);
  }

  branchCount(session: number): number {
    return mapped(this.sql.get('SELECT count(*) AS count FROM branches WHERE session = ?', session), (row) => intOf(row, 'count')) ?? 0;
  }

  /** The event after which the conversation was adopted. */
  base(agent: AgentId, agentSessionId: string): number | undefined {
    return mapped(this.sql.get('SELECT base FROM taken WHERE agent = ? AND agent_session = ?', agent, agentSessionId), (row) => intOf(row, 'base'));
  }

  /** Events that may contain the blob with this shortened hash. */
  blobPlaces(sha: Uint8Array): readonly { readonly session: number; readonly seq: number }[] {
    const rows = this.sql.all('SELECT session, seq FROM blobs WHERE sha = ? LIMIT 20', sha);
    return rows.map((row) => ({ session: intOf(row, 'session'), seq: intOf(row, 'seq') }));
  }
}

const mapped = <T>(row: Row | undefined, to: (row: Row) => T): T | undefined => (row === undefined ? undefined : to(row));
