import type { PreparedTexts } from '../../domain/search/prepared.ts';
import type { WholeText } from '../../domain/search/whole.ts';
import { closeDatabase, type Database, restDatabase, textOf, transactions } from '../../journal/sqlite/sqlite-driver.ts';
import type { Event } from '../../protocol/event.ts';
import { SessionId } from '../../protocol/ids.ts';
import { removeDatabase } from '../list/catalogue.ts';
import { isDamage } from '../list/is-damaged.ts';
import { searchPart } from '../search/search-part.ts';
import { Together } from './batch-transaction.ts';
import type { HealthReader, HealthWriter, LibraryPart, PartWriter, UsageReader } from './index-part.ts';
import { openToWrite } from './index-sql.ts';
import type { LibrarySession, LibrarySpent, LibraryWriter, PastOfLibrary } from './index-store.ts';
import { sessionRows, TITLED } from './indexed-sessions.ts';
import { learn, type ProjectOf } from './own-session.ts';

export interface LibraryParts {
  readonly usage: LibraryPart<PartWriter, UsageReader>;
  readonly health: LibraryPart<HealthWriter, HealthReader>;
}

export interface WriterOptions extends LibraryParts {
  readonly path: string;
  /** The project that a folder is. */
  readonly projectOf: ProjectOf;
  /** Long texts, of which events carry the heads. */
  readonly blob?: WholeText;
}

/** Damage was found and library.db begun anew: whoever feeds it asks for the cursors again. */
export class LibraryEmptied extends Error {
  override readonly name = 'LibraryEmptied';
  constructor(options?: ErrorOptions) {
    super('The library was damaged and is built anew; searches find less until that is done', options);
  }
}

export function openLibraryWriter(options: WriterOptions): LibraryWriter {
  return new Writer(options);
}

/** All parts of a library on one connection. */
function openParts({ path, usage, health, blob }: WriterOptions) {
  const search = searchPart(blob);
  const db = openToWrite(path, [search, usage, health]);
  const healthWriter = health.write(db);
  return {
    db,
    rows: sessionRows(db),
    health: healthWriter,
    together: new Together(db),
    // Words come last: other statements would make FTS5 write what it holds.
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

class Writer implements LibraryWriter {
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

  follow(entries: Parameters<LibraryWriter['follow']>[0]): void {
    this.#write(() => {
      const position = this.position();
      for (const [session, events] of bySession(entries.filter((entry) => entry.position > position))) this.#followOne(session, events);
      this.#open.setPosition.run(entries.at(-1)?.position ?? 0);
    });
  }

  put(session: LibrarySession, events: readonly Event[], spent: readonly LibrarySpent[], texts?: PreparedTexts): void {
    this.#write(() => this.#put(session, { events, spent, texts }));
  }

  describe(session: LibrarySession): void {
    this.#write(() => this.#describe(session));
  }

  forget(session: SessionId): void {
    this.#write(() => this.#forget(session));
  }

  remake(session: LibrarySession, past: Iterable<PastOfLibrary>, own: Iterable<readonly Event[]>): void {
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

  together(): void {
    this.#guarded(() => this.#open.together.begin());
  }

  settle(): void {
    const { together } = this.#open;
    if (together.isOpen) this.#guarded(() => this.#whole(together));
  }

  tidy(): boolean {
    this.settle();
    const hasTidied = this.#write(() => this.#open.all.map((part) => part.tidy?.() ?? false).includes(true));
    if (!hasTidied) this.#guarded(() => restDatabase(this.#open.db, this.#options.path));
    return hasTidied;
  }

  clear(): void {
    this.settle();
    this.#write(() => {
      for (const part of this.#open.all) part.clear();
      this.#open.db.exec('DELETE FROM sessions; UPDATE cursor SET position = 0');
    });
  }

  close(): void {
    try {
      this.settle();
    } finally {
      closeDatabase(this.#open.db);
    }
  }

  #put(session: LibrarySession, { events, spent, texts }: PastOfLibrary): void {
    const { rows, all } = this.#open;
    this.#describe(session);
    const from = rows.cursor(session.id);
    const known = rows.known(session.id);
    if (known === undefined) return;
    // What was told before is not told again: a batch may begin before the cursor.
    const fresh = events.filter((event) => event.seq > from);
    // A line that only tells what was spent bears the number of the event before it; told twice, it counts once.
    const freshSpent = spent.filter((one) => one.seq >= from);
    for (const part of all) part.take(known, fresh, freshSpent, texts);
    rows.moveCursor(session.id, fresh.at(-1)?.seq ?? 0);
  }

  #followOne(id: SessionId, events: readonly Event[]): void {
    const { rows, all } = this.#open;
    if (events.some((event) => event.type === 'session.deleted')) return this.#forget(id);
    const changes = events.filter((event) => learn(rows, this.#options.projectOf, id, event));
    const known = rows.known(id);
    // Without a beginning there is no session: events of the house, or of one that was deleted.
    if (known === undefined) return;
    if (changes.length > 0) for (const part of all) part.describe?.(known);
    for (const part of all) part.take(known, events, []);
  }

  #describe(session: LibrarySession): void {
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
    return this.#guarded(() => (this.#open.together.isOpen ? this.#joining(work) : this.#alone(work)));
  }

  #alone<T>(work: () => T): T {
    return this.#ending(() =>
      this.#open.transaction(() => {
        const result = work();
        this.#writeHeldBack();
        return result;
      }),
    );
  }

  #whole(together: Together): void {
    this.#joining(() => this.#writeHeldBack());
    this.#ending(() => together.end());
  }

  #writeHeldBack(): void {
    for (const part of this.#open.all) part.ending?.();
  }

  /** What fails takes everything with it that was written together. */
  #joining<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      this.#ending(() => this.#open.together.undo());
      throw error;
    }
  }

  /** What parts remember holds within one transaction only. */
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
      this.#open.db.close();
      removeDatabase(this.#options.path);
      this.#open = openParts(this.#options);
      throw new LibraryEmptied({ cause: error });
    }
  }
}

function opened(options: WriterOptions): ReturnType<typeof openParts> {
  try {
    return openParts(options);
  } catch (error) {
    if (!isDamage(error)) throw error;
    removeDatabase(options.path);
    return openParts(options);
  }
}

function bySession(entries: Parameters<LibraryWriter['follow']>[0]): ReadonlyMap<SessionId, readonly Event[]> {
  const found = new Map<SessionId, Event[]>();
  for (const { session, event } of entries) {
    const events = found.get(session);
    if (events) events.push(event);
    else found.set(session, [event]);
  }
  return found;
}
