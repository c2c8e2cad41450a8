import { statSync } from 'node:fs';
import type { ReadFullText } from '../../domain/search/full-text.ts';
import type { PreparedTexts } from '../../domain/search/prepared.ts';
import { closeDatabase, compactDatabase, type Database, textOf, transactions } from '../../journal/sqlite-driver.ts';
import type { Event } from '../../protocol/event.ts';
import { isInternal, SessionId } from '../../protocol/ids.ts';
import { isDamage, removeDatabase } from '../list/session-table.ts';
import { searchPart } from '../search/search-part.ts';
import { BatchTransaction } from '../store/batch-transaction.ts';
import type { HealthReader, HealthWriter, IndexPart, PartWriter, UsageReader } from '../store/index-part.ts';
import { openToWrite } from '../store/index-sql.ts';
import type { IndexedPast, IndexedSession, IndexedUsage, IndexWriter } from '../store/index-store.ts';
import { sessionRows, TITLED } from '../store/indexed-sessions.ts';
import { type ProjectOf, updateSession } from '../store/own-session.ts';

export interface IndexParts {
  readonly usage: IndexPart<PartWriter, UsageReader>;
  readonly health: IndexPart<HealthWriter, HealthReader>;
}

export interface WriterOptions extends IndexParts {
  readonly path: string;
  /** The project of a folder. */
  readonly projectOf: ProjectOf;
  /** Loads long texts, of which events carry the start. */
  readonly blob?: ReadFullText;
}

/** library.db was damaged and recreated: the caller must ask for the cursors again. */
export class IndexEmptied extends Error {
  override readonly name = 'IndexEmptied';
  constructor(options?: ErrorOptions) {
    super('The search index was damaged and is being rebuilt. Searches find less until that is done.', options);
  }
}

export function openIndexWriter(options: WriterOptions): IndexWriter {
  return new Writer(options);
}

/** All parts of the index on one connection. */
function openParts({ path, usage, health, blob }: WriterOptions) {
  const search = searchPart(blob);
  const db = openToWrite(path, [search, usage, health]);
  const healthWriter = health.write(db);
  return {
    db,
    file: fileAt(path),
    rows: sessionRows(db),
    health: healthWriter,
    batch: new BatchTransaction(db),
    // Words come last: other statements would make FTS5 flush.
    all: [usage.write(db), healthWriter, search.write(db)] as readonly PartWriter[],
    ...cursors(db),
  };
}

function cursors(db: Database) {
  return {
    transaction: transactions(db),
    position: db.prepare('SELECT position FROM cursor'),
    pastSessions: db.prepare('SELECT id FROM sessions WHERE past_cursor > 0'),
    setPosition: db.prepare('UPDATE cursor SET position = max(position, ?)'),
  };
}

class Writer implements IndexWriter {
  readonly #options: WriterOptions;
  #open: ReturnType<typeof openParts>;

  constructor(options: WriterOptions) {
    this.#options = options;
    this.#open = opened(options);
  }

  position(): number {
    return this.#guarded(() => Number(this.#open.position.get()?.position ?? 0));
  }

  pastCursor(session: SessionId): number {
    return this.#guarded(() => this.#open.rows.cursor(session));
  }

  follow(entries: Parameters<IndexWriter['follow']>[0]): void {
    this.#write(() => {
      const position = this.position();
      for (const [session, events] of bySession(entries.filter((entry) => entry.position > position && !isInternal(entry.session))))
        this.#followOne(session, events);
      this.#open.setPosition.run(entries.at(-1)?.position ?? 0);
    });
  }

  put(session: IndexedSession, events: readonly Event[], spent: readonly IndexedUsage[], texts?: PreparedTexts): void {
    this.#write(() => this.#put(session, { events, spent, texts }));
  }

  describe(session: IndexedSession): void {
    this.#write(() => this.#describe(session));
  }

  forget(session: SessionId): void {
    this.#write(() => this.#forget(session));
  }

  reindex(session: IndexedSession, past: Iterable<IndexedPast>, own: Iterable<readonly Event[]>): void {
    this.#write(() => {
      this.#forget(session.id);
      for (const page of past) this.#put(session, page);
      for (const events of own) this.#followOne(session.id, events);
    });
  }

  pastSessions(): readonly SessionId[] {
    return this.#guarded(() => this.#open.pastSessions.all().map((row) => SessionId.parse(textOf(row, 'id'))));
  }

  changedHealth() {
    return this.#open.health.changed();
  }

  beginBatch(): void {
    this.#guarded(() => this.#open.batch.begin());
  }

  checkFile(): void {
    if (fileAt(this.#options.path) !== this.#open.file) this.#startOver(new Error('library.db was deleted or replaced'));
  }

  commit(): void {
    const { batch } = this.#open;
    if (batch.isOpen) this.#guarded(() => this.#commitBatch(batch));
  }

  tidy(): boolean {
    this.commit();
    const hasTidied = this.#write(() => this.#open.all.map((part) => part.tidy?.() ?? false).includes(true));
    if (!hasTidied) this.#guarded(() => compactDatabase(this.#open.db, this.#options.path));
    return hasTidied;
  }

  clear(): void {
    this.commit();
    this.#write(() => {
      for (const part of this.#open.all) part.clear();
      this.#open.db.exec('DELETE FROM sessions; UPDATE cursor SET position = 0');
    });
  }

  close(): void {
    try {
      this.commit();
    } finally {
      closeDatabase(this.#open.db);
    }
  }

  #put(session: IndexedSession, { events, spent, texts }: IndexedPast): void {
    const { rows, all } = this.#open;
    this.#describe(session);
    const from = rows.cursor(session.id);
    const known = rows.known(session.id);
    if (known === undefined) return;
    // A batch may start before the cursor: skip what is already indexed.
    const fresh = events.filter((event) => event.seq > from);
    // A line with usage only has the number of the event before it; if it comes twice, it counts once.
    const freshSpent = spent.filter((one) => one.seq >= from);
    for (const part of all) part.take(known, fresh, freshSpent, texts);
    rows.moveCursor(session.id, fresh.at(-1)?.seq ?? 0);
  }

  #followOne(id: SessionId, events: readonly Event[]): void {
    const { rows, all } = this.#open;
    if (events.some((event) => event.type === 'session.deleted')) return this.#forget(id);
    const changes = events.filter((event) => updateSession(rows, this.#options.projectOf, id, event));
    const known = rows.known(id);
    // Events of the workspace, or of a deleted session, have no session here.
    if (known === undefined) return;
    if (changes.length > 0) for (const part of all) part.describe?.(known);
    for (const part of all) part.take(known, events, []);
  }

  #describe(session: IndexedSession): void {
    const { session: known, changed } = this.#open.rows.write(session, TITLED.given);
    if (changed) for (const part of this.#open.all) part.describe?.(known);
  }

  #forget(id: SessionId): void {
    const known = this.#open.rows.known(id);
    if (known === undefined) return;
    for (const part of this.#open.all) part.forget(known.number);
    this.#open.rows.drop(id);
  }

  #write<T>(work: () => T): T {
    return this.#guarded(() => (this.#open.batch.isOpen ? this.#inBatch(work) : this.#inOwnTransaction(work)));
  }

  #inOwnTransaction<T>(work: () => T): T {
    return this.#ending(() =>
      this.#open.transaction(() => {
        const result = work();
        this.#writePending();
        return result;
      }),
    );
  }

  #commitBatch(batch: BatchTransaction): void {
    this.#inBatch(() => this.#writePending());
    this.#ending(() => batch.end());
  }

  #writePending(): void {
    for (const part of this.#open.all) part.ending?.();
  }

  /** A failure rolls back the whole batch. */
  #inBatch<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      this.#ending(() => this.#open.batch.undo());
      throw error;
    }
  }

  /** Parts can remember things only within one transaction. */
  #ending<T>(end: () => T): T {
    try {
      return end();
    } finally {
      for (const part of this.#open.all) part.ended?.();
    }
  }

  #guarded<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      if (!isDamage(error)) throw error;
      return this.#startOver(error);
    }
  }

  #startOver(cause: unknown): never {
    this.#open.db.close();
    removeDatabase(this.#options.path);
    this.#open = openParts(this.#options);
    throw new IndexEmptied({ cause });
  }
}

/** Which file is there now. One that was deleted can still be written to, but nobody finds anything in it. */
const fileAt = (path: string): bigint | undefined => statSync(path, { throwIfNoEntry: false, bigint: true })?.ino;

function opened(options: WriterOptions): ReturnType<typeof openParts> {
  try {
    return openParts(options);
  } catch (error) {
    if (!isDamage(error)) throw error;
    removeDatabase(options.path);
    return openParts(options);
  }
}

function bySession(entries: Parameters<IndexWriter['follow']>[0]): ReadonlyMap<SessionId, readonly Event[]> {
  const found = new Map<SessionId, Event[]>();
  for (const { session, event } of entries) {
    const events = found.get(session);
    if (events) events.push(event);
    else found.set(session, [event]);
  }
  return found;
}
