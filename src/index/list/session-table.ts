import { rmSync } from 'node:fs';
import { closeDatabase, type Database, intOf, openDatabase, type Row, SQLITE, sqliteCode, textOf, transactions } from '../../journal/sqlite-driver.ts';
import type { Project, SessionQuery } from '../../protocol/http.ts';
import type { SessionId } from '../../protocol/ids.ts';
import { LIMITS } from '../../protocol/limits.ts';
import type { HealthBrief, Session } from '../../protocol/session.ts';
import { decodeCursor, encodeCursor } from './page-cursor.ts';
import { SESSION_TABLE_SCHEMA, SESSION_TABLE_VERSION, sessionTableStatements } from './session-table-sql.ts';
import type { PageText } from './worker-messages.ts';

/** Changes of some sessions up to a position of the journal. */
export interface SessionTableBatch {
  readonly changed: readonly Session[];
  readonly removed: readonly SessionId[];
  readonly position: number;
  /**
   * Sessions that don't come from the journal: they leave the cursor unchanged. Past ones come from records and never replace a session of ours; remote ones come
   * from other machines and never replace one of this machine.
   */
  readonly from?: 'records' | 'machines';
}

export type SessionSource = 'journal' | 'records' | 'machines';
/** As the column `past` holds it. A lower one counts more. */
const KIND: Readonly<Record<SessionSource, number>> = { journal: 0, records: 1, machines: 2 };

/** One row per session, in views.db. Used by the worker only. */
export class SessionTable {
  readonly #db: Database;
  readonly #sql: ReturnType<typeof sessionTableStatements>;
  readonly #transaction: <T>(work: () => T) => T;

  constructor(path: string) {
    this.#db = openCurrent(path);
    this.#sql = sessionTableStatements(this.#db);
    this.#transaction = transactions(this.#db);
  }

  apply(batch: SessionTableBatch): void {
    this.#transaction(() => {
      const kind = KIND[batch.from ?? 'journal'];
      for (const session of batch.changed) if (!this.#hasCloser(session.id, kind)) this.#write(session, kind);
      for (const id of batch.removed) if (!this.#hasCloser(id, kind)) this.#remove(id);
      if (kind === KIND.journal) this.#sql.setCursor.run(batch.position);
    });
  }

  list(query: SessionQuery): PageText {
    const limit = query.limit ?? LIMITS.pageDefault;
    const rows = this.#sql.list.all(...filters(query), limit + 1);
    const listed = rows.slice(0, limit);
    const sessions = `[${listed.map(sessionText).join(',')}]`;
    const last = listed.at(-1);
    return rows.length > limit && last
      ? { sessions, nextCursor: encodeCursor({ updatedAt: textOf(last, 'updated_at'), id: textOf(last, 'id') }) }
      : { sessions };
  }

  projects(agent: string | undefined, hidden: readonly SessionId[]): readonly Project[] {
    return this.#sql.projects.all(agent === undefined ? null : JSON.stringify(agent.split(',')), JSON.stringify(hidden)).map(toProject);
  }

  cursor(): number {
    const row = this.#sql.cursor.get();
    return row ? intOf(row, 'position') : 0;
  }

  /** What lists show about the health of sessions. */
  brief(briefs: readonly (readonly [SessionId, HealthBrief])[]): void {
    this.#transaction(() => {
      for (const [id, brief] of briefs) this.#sql.brief.run(id, JSON.stringify(brief));
    });
  }

  tags(): readonly { readonly tag: string; readonly sessions: number }[] {
    return this.#sql.tags.all().map((row) => ({ tag: String(row.tag), sessions: intOf(row, 'sessions') }));
  }

  /** How many sessions each agent has. */
  counts(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#sql.counts.all().map((row) => [String(row.agent), intOf(row, 'sessions')]));
  }

  keepOnly(ids: readonly SessionId[], from: SessionSource): void {
    const kept = new Set<string>(ids);
    this.#transaction(() => {
      for (const row of this.#sql.ids.all(KIND[from])) if (!kept.has(String(row.id))) this.#remove(String(row.id));
    });
  }

  clear(): void {
    this.#transaction(() => this.#db.exec('DELETE FROM sessions; DELETE FROM tags; DELETE FROM briefs; UPDATE cursor SET position = 0'));
  }

  close(): void {
    closeDatabase(this.#db);
  }

  /** Whether the session is known from a source that counts more. */
  #hasCloser(id: string, kind: number): boolean {
    const row = this.#sql.kindOf.get(id);
    return row !== undefined && intOf(row, 'past') < kind;
  }

  #write(session: Session, kind: number): void {
    const { id, status, control, agent, projectId, project, cwd, title, updatedAt, star, archived } = session;
    const flags = [star ? 1 : 0, archived ? 1 : 0] as const;
    this.#sql.put.run(id, kind, status, control, agent, projectId, project, cwd, title, updatedAt, ...flags, haystack(session), JSON.stringify(session));
    this.#sql.dropTags.run(id);
    for (const tag of tagsOf(session)) this.#sql.putTag.run(tag, id);
  }

  #remove(id: string): void {
    this.#sql.drop.run(id);
    this.#sql.dropTags.run(id);
    this.#sql.dropBrief.run(id);
  }
}

/** A database of another version is deleted: everything in it can be folded again. */
function openCurrent(path: string): Database {
  const db = openDatabase(path);
  // A list is a few megabytes: its log doesn't need to be longer.
  db.exec('PRAGMA wal_autocheckpoint = 250; PRAGMA journal_size_limit = 1048576');
  const row = db.prepare('PRAGMA user_version').get();
  const version = row ? intOf(row, 'user_version') : 0;
  if (version === SESSION_TABLE_VERSION) return db;
  if (version !== 0) {
    db.close();
    removeDatabase(path);
    return openCurrent(path);
  }
  db.exec(`BEGIN IMMEDIATE; ${SESSION_TABLE_SCHEMA}; PRAGMA user_version = ${SESSION_TABLE_VERSION}; COMMIT`);
  return db;
}

export function removeDatabase(path: string): void {
  for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true });
}

/** A session is found by the tags of its messages too. */
const tagsOf = ({ tags, messageTags = [] }: Session): ReadonlySet<string> => new Set([...tags, ...messageTags]);

/** The text that the list's filter searches, in lower case. */
function haystack(session: Session): string {
  const queued = session.queue.map((input) => input.text);
  return [session.title, session.project, session.cwd, session.lastLine ?? '', session.note ?? '', ...tagsOf(session), ...queued].join('\n').toLowerCase();
}

/** In the order of the statement's parameters; null means any. */
function filters(query: SessionQuery) {
  const cursor = query.cursor === undefined ? undefined : decodeCursor(query.cursor);
  const anyOf = (text: string | undefined) => (text === undefined || text === '' ? null : JSON.stringify(text.split(',')));
  return [
    anyOf(query.status),
    anyOf(query.agent),
    query.project ?? null,
    query.tag ?? null,
    query.q ? query.q.toLowerCase() : null,
    query.control ?? null,
    flag(query.star),
    flag(query.archived),
    query.since ?? null,
    query.until ?? null,
    cursor?.updatedAt ?? null,
    cursor?.id ?? null,
  ] as const;
}

const flag = (value: boolean | undefined): number | null => (value === undefined ? null : Number(value));

/** Both columns contain JSON objects written here, so they are joined as text and parsed by the caller. */
function sessionText(row: Row): string {
  const summary = textOf(row, 'summary');
  return row.brief === null ? summary : `${summary.slice(0, -1)},"health":${textOf(row, 'brief')}}`;
}

function toProject(row: Row): Project {
  return {
    id: String(row.project_id),
    path: String(row.cwd),
    title: String(row.project),
    sessions: intOf(row, 'sessions'),
    updatedAt: String(row.updated_at),
    agents: String(row.agents).split(',').sort(),
  };
}

/** Damage to the list or the index loses nothing: the database is recreated. */
export function isDamage(error: unknown): boolean {
  const code = sqliteCode(error);
  return code === SQLITE.corrupt || code === SQLITE.notADatabase;
}
