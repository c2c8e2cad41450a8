import { isArchivedId } from '../../agents/port/archived-id.ts';
import { projectIdOf } from '../../agents/port/project-id.ts';
import type { ArchiveReader, PastSession } from '../../archive/archive.ts';
import type { Journal } from '../../journal/journal.ts';
import type { SessionId } from '../../protocol/ids.ts';
import { summaryOfPast } from '../list/past-summary.ts';
import type { IndexedSession, IndexWriter } from '../store/index-store.ts';
import { IndexEmptied } from './open-index.ts';
import { ownUpTo, pagesOfOwn, pagesOfPast } from './past-pages.ts';
import type { ProblemReporter } from './problem-reporter.ts';
import type { ReadBatch, ReadUpTo } from './read-batch.ts';

/** Events read at once from the journal, or from a record that was read before. */
const PAGE = 500;

/** Events of records in one transaction: a few megabytes of text, which are read again after a kill. */
const EVENTS_PER_TRANSACTION = 4000;

export interface FeedParts {
  readonly reader: ArchiveReader;
  readonly writer: IndexWriter;
  readonly journal: Pick<Journal, 'since' | 'after'>;
  readonly reporter: ProblemReporter;
}

type Due = Set<SessionId>;

/** Indexes past sessions and the journal, one page at a time. A session that fails is retried later, and the others continue. */
export class IndexFeed {
  readonly #parts: FeedParts;
  /** Past sessions that are only partly indexed: the rest is read from their records. */
  readonly #behind: Due = new Set();
  readonly #toForget: Due = new Set();
  /** Past sessions of which too much is indexed: they were adopted at an earlier event than had been read. */
  readonly #toRemake: Due = new Set();
  /** Sessions that failed, until the next sweep. */
  readonly #postponed = new Map<SessionId, Due>();
  readonly #adopted = new Map<SessionId, number>();
  /** Sessions that were written but not committed yet. */
  readonly #uncommitted = new Set<SessionId>();
  #uncommittedEvents = 0;
  #journalIsDue = true;

  constructor(parts: FeedParts) {
    this.#parts = parts;
  }

  /** Compares the index with the records, which may have changed while no server was running. */
  begin(sessions: readonly ReadUpTo[]): void {
    const { writer } = this.#parts;
    const existing = new Set(sessions.map(({ id }) => id));
    for (const id of writer.pastSessions()) if (isArchivedId(id) && !existing.has(id) && !this.#isOurs(id)) this.#toForget.add(id);
    for (const { id, lastSeq } of sessions) if (writer.pastCursor(id) < lastSeq) this.#behind.add(id);
  }

  /** The index is empty: everything is due, from the first event on. */
  restart(sessions: readonly PastSession[]): void {
    for (const due of [this.#toForget, this.#toRemake, this.#postponed, this.#uncommitted]) due.clear();
    for (const { id } of sessions) this.#behind.add(id);
    this.#journalIsDue = true;
  }

  journalMoved(): void {
    this.#journalIsDue = true;
  }

  adopted(id: SessionId, base: number): void {
    this.#adopted.set(id, base);
  }

  read(batch: ReadBatch): void {
    const { session, events } = batch;
    const { id } = session;
    const first = events[0]?.seq ?? session.lastSeq + 1;
    try {
      if (this.#behind.has(id) || this.#toRemake.has(id) || this.#parts.writer.pastCursor(id) !== first - 1) return void this.#behind.add(id);
      this.#put(batch);
    } catch (error) {
      // Its events are numbered and won't be reported again.
      this.#behind.add(id);
      throw error;
    }
  }

  listed({ id, lastSeq, past }: PastSession): void {
    if (this.#postponed.get(id) === this.#toForget) this.#postponed.delete(id);
    this.#toForget.delete(id);
    const indexed = this.#parts.writer.pastCursor(id);
    if (indexed > lastSeq) this.#toRemake.add(id);
    // A record that vanished and came back must be read before it can be indexed again.
    else if (indexed < lastSeq && past.read) this.#behind.add(id);
  }

  /** An adopted session stays: its events in the journal have the same id. */
  removed(id: SessionId): void {
    for (const due of [this.#behind, this.#toRemake, this.#postponed]) due.delete(id);
    if (!this.#isOurs(id)) this.#toForget.add(id);
  }

  /** Sessions that failed are tried again. */
  retry(): void {
    for (const [id, due] of this.#postponed) due.add(id);
    this.#postponed.clear();
  }

  /** How many sessions are not fully indexed. */
  behind(): number {
    return this.#behind.size + this.#toRemake.size + this.#toForget.size + this.#uncommitted.size;
  }

  isUncommitted(): boolean {
    return this.#uncommitted.size > 0;
  }

  /** Commits what was written. */
  commit(): void {
    this.#rollingBack(() => this.#parts.writer.commit());
    this.#uncommitted.clear();
    this.#uncommittedEvents = 0;
  }

  /** One page; false if there is none left. */
  step(): boolean {
    const forget = (id: SessionId) => this.#forget(id);
    const reindex = (id: SessionId) => this.#reindex(id);
    return this.#first(this.#toForget, forget) || this.#first(this.#toRemake, reindex) || this.#followJournal() || this.#first(this.#behind, this.#catchUp);
  }

  #isOurs(id: SessionId): boolean {
    return (this.#adopted.get(id) ?? 0) > 0 || this.#parts.journal.after(id, 0, 1).length > 0;
  }

  #first(due: Due, work: (id: SessionId) => boolean): boolean {
    const [id] = due;
    if (id !== undefined) this.#one(due, id, work);
    return id !== undefined;
  }

  /** `work` returns whether the session is done. */
  #one(due: Due, id: SessionId, work: (id: SessionId) => boolean): void {
    try {
      if (work(id)) due.delete(id);
    } catch (error) {
      if (error instanceof IndexEmptied) throw error;
      due.delete(id);
      this.#postponed.set(id, due);
      this.#parts.reporter.report(`past session ${id} could not be indexed`, error);
    }
  }

  #followJournal(): boolean {
    if (!this.#journalIsDue) return false;
    const { journal, writer } = this.#parts;
    const entries = journal.since(writer.position(), PAGE);
    // The past of an adopted session comes before its journal.
    const waiting = entries.find(({ session }) => this.#behind.has(session));
    if (waiting !== undefined) {
      this.#one(this.#behind, waiting.session, this.#catchUp);
      return true;
    }
    if (entries.length > 0) this.#rollingBack(() => writer.follow(entries));
    if (this.isUncommitted()) this.#uncommittedEvents += entries.length;
    if (this.#uncommittedEvents >= EVENTS_PER_TRANSACTION) this.commit();
    this.#journalIsDue = entries.length === PAGE;
    return this.#journalIsDue;
  }

  readonly #catchUp = (id: SessionId): boolean => {
    const { reader, writer } = this.#parts;
    const session = reader.session(id);
    if (session === undefined) return true;
    const { events, spent } = reader.batch(id, writer.pastCursor(id), PAGE);
    if (events.length > 0) this.#put({ session, events, spent });
    return events.length === 0;
  };

  /** In its own transaction, so that a later failure can't roll it back. */
  #forget(id: SessionId): boolean {
    this.commit();
    this.#rollingBack(() => this.#parts.writer.forget(id));
    return true;
  }

  #put({ session, events, spent, texts }: ReadBatch): void {
    const { writer } = this.#parts;
    this.#rollingBack(() => {
      writer.beginBatch();
      writer.put(pastSessionFacts(session), events, spent, texts);
    });
    this.#uncommitted.add(session.id);
    this.#uncommittedEvents += events.length;
    if (this.#uncommittedEvents >= EVENTS_PER_TRANSACTION) this.commit();
  }

  /** A failure rolls back everything uncommitted, which is due again. */
  #rollingBack(work: () => void): void {
    try {
      work();
    } catch (error) {
      for (const id of this.#uncommitted) this.#behind.add(id);
      this.#uncommitted.clear();
      this.#uncommittedEvents = 0;
      this.#journalIsDue = true;
      throw error;
    }
  }

  /** In one transaction: if the server is killed in the meantime, the next one finds the index unchanged and starts over. */
  #reindex(id: SessionId): boolean {
    const { reader, writer, journal } = this.#parts;
    const session = reader.session(id);
    if (session === undefined) return true;
    this.commit();
    const upTo = ownUpTo(journal, id, writer.position(), PAGE);
    this.#rollingBack(() => writer.reindex(pastSessionFacts(session), pagesOfPast(reader, id, PAGE), pagesOfOwn(journal, id, upTo, PAGE)));
    return true;
  }
}

/** What the index knows about a past session besides its events. */
function pastSessionFacts(session: PastSession): IndexedSession {
  const { id, agent, title, cwd = '', createdAt, parent } = session;
  return {
    id,
    agent,
    title,
    ...(parent !== undefined && { parent: parent.sessionId }),
    project: summaryOfPast(session, NO_MACHINE, undefined).project,
    projectId: projectIdOf(cwd),
    createdAt,
  };
}

const NO_MACHINE = { node: '', hostname: '', platform: '' };
