import { isArchivedId } from '../../agents/archived-id.ts';
import type { ArchiveReader, PastSession } from '../../archive/archive.ts';
import type { Journal } from '../../journal/journal.ts';
import type { SessionId } from '../../protocol/ids.ts';
import type { LibraryWriter } from '../store/index-store.ts';
import { LibraryEmptied } from '../store/open-index.ts';
import { ownUpTo, pagesOfOwn, pagesOfPast } from './past-pages.ts';
import { forLibrary } from './past-session-facts.ts';
import type { ReadBatch, ReadUpTo } from './read-batch.ts';
import type { Troubles } from './report-once.ts';

/** Events that go from the journal, or from a record that was read before, into the library in one transaction. */
const PAGE = 500;

/** So many events of records are one transaction: some megabytes of text, which are read again after a kill. */
const TOGETHER = 4000;

export interface FeedParts {
  readonly reader: ArchiveReader;
  readonly writer: LibraryWriter;
  readonly journal: Pick<Journal, 'since' | 'after'>;
  readonly troubles: Troubles;
}

type Due = Set<SessionId>;

/** Brings past sessions and the journal into the library, a page at a time. What fails for one session is put off, and the others go on. */
export class LibraryFeed {
  readonly #parts: FeedParts;
  /** Past sessions that the library has not wholly: they are read again where they lie. */
  readonly #behind: Due = new Set();
  readonly #toForget: Due = new Set();
  /** Those of which the library has what they do not say any more: a session of ours took them up earlier than they were read. */
  readonly #toRemake: Due = new Set();
  /** What failed, until the next look at all records. */
  readonly #putOff = new Map<SessionId, Due>();
  readonly #takenUp = new Map<SessionId, number>();
  /** What was put and is not durable yet. */
  readonly #unsettled = new Set<SessionId>();
  #unsettledEvents = 0;
  #journalIsDue = true;

  constructor(parts: FeedParts) {
    this.#parts = parts;
  }

  /** Compares the library with what lies there, as it may have been changed by somebody else, or by a server that was killed. */
  begin(sessions: readonly ReadUpTo[]): void {
    const { writer } = this.#parts;
    const there = new Set(sessions.map(({ id }) => id));
    for (const id of writer.pastSessions()) if (isArchivedId(id) && !there.has(id) && !this.#isOurs(id)) this.#toForget.add(id);
    for (const { id, lastSeq } of sessions) if (writer.pastCursor(id) < lastSeq) this.#behind.add(id);
  }

  /** Everything, from the first event on: the library is empty. */
  beginAnew(sessions: readonly PastSession[]): void {
    for (const due of [this.#toForget, this.#toRemake, this.#putOff, this.#unsettled]) due.clear();
    for (const { id } of sessions) this.#behind.add(id);
    this.#journalIsDue = true;
  }

  journalMoved(): void {
    this.#journalIsDue = true;
  }

  takenUp(id: SessionId, base: number): void {
    this.#takenUp.set(id, base);
  }

  read(batch: ReadBatch): void {
    const { session, events } = batch;
    const { id } = session;
    const first = events[0]?.seq ?? session.lastSeq + 1;
    try {
      if (this.#behind.has(id) || this.#toRemake.has(id) || this.#parts.writer.pastCursor(id) !== first - 1) return void this.#behind.add(id);
      this.#put(batch);
    } catch (error) {
      // It has its numbers and is not told again.
      this.#behind.add(id);
      throw error;
    }
  }

  listed({ id, lastSeq, past }: PastSession): void {
    if (this.#putOff.get(id) === this.#toForget) this.#putOff.delete(id);
    this.#toForget.delete(id);
    const has = this.#parts.writer.pastCursor(id);
    if (has > lastSeq) this.#toRemake.add(id);
    // A record that was away and came back says what it said before only when it has been read.
    else if (has < lastSeq && past.read) this.#behind.add(id);
  }

  /** One that a session of ours goes on with stays: what the journal says of it stands under the same id. */
  removed(id: SessionId): void {
    for (const due of [this.#behind, this.#toRemake, this.#putOff]) due.delete(id);
    if (!this.#isOurs(id)) this.#toForget.add(id);
  }

  /** What failed is tried again. */
  retry(): void {
    for (const [id, due] of this.#putOff) due.add(id);
    this.#putOff.clear();
  }

  /** Of how many sessions something is missing. */
  behind(): number {
    return this.#behind.size + this.#toRemake.size + this.#toForget.size + this.#unsettled.size;
  }

  isUnsettled(): boolean {
    return this.#unsettled.size > 0;
  }

  /** Makes durable what was put. */
  settle(): void {
    this.#undoing(() => this.#parts.writer.settle());
    this.#unsettled.clear();
    this.#unsettledEvents = 0;
  }

  /** One page; false when there is none left. */
  step(): boolean {
    const forget = (id: SessionId) => this.#forget(id);
    const remake = (id: SessionId) => this.#remake(id);
    return this.#first(this.#toForget, forget) || this.#first(this.#toRemake, remake) || this.#followJournal() || this.#first(this.#behind, this.#catchUp);
  }

  #isOurs(id: SessionId): boolean {
    return (this.#takenUp.get(id) ?? 0) > 0 || this.#parts.journal.after(id, 0, 1).length > 0;
  }

  #first(due: Due, work: (id: SessionId) => boolean): boolean {
    const [id] = due;
    if (id !== undefined) this.#one(due, id, work);
    return id !== undefined;
  }

  /** `work` says whether that was all of it. */
  #one(due: Due, id: SessionId, work: (id: SessionId) => boolean): void {
    try {
      if (work(id)) due.delete(id);
    } catch (error) {
      if (error instanceof LibraryEmptied) throw error;
      due.delete(id);
      this.#putOff.set(id, due);
      this.#parts.troubles.say(`past session ${id} could not be taken into the library`, error);
    }
  }

  #followJournal(): boolean {
    if (!this.#journalIsDue) return false;
    const { journal, writer } = this.#parts;
    const entries = journal.since(writer.position(), PAGE);
    // What was said before somebody took a session up comes first.
    const waiting = entries.find(({ session }) => this.#behind.has(session));
    if (waiting !== undefined) {
      this.#one(this.#behind, waiting.session, this.#catchUp);
      return true;
    }
    if (entries.length > 0) this.#undoing(() => writer.follow(entries));
    if (this.isUnsettled()) this.#unsettledEvents += entries.length;
    if (this.#unsettledEvents >= TOGETHER) this.settle();
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

  /** By itself: what was put before must not be able to undo it later. */
  #forget(id: SessionId): boolean {
    this.settle();
    this.#undoing(() => this.#parts.writer.forget(id));
    return true;
  }

  #put({ session, events, spent, texts }: ReadBatch): void {
    const { writer } = this.#parts;
    this.#undoing(() => {
      writer.together();
      writer.put(forLibrary(session), events, spent, texts);
    });
    this.#unsettled.add(session.id);
    this.#unsettledEvents += events.length;
    if (this.#unsettledEvents >= TOGETHER) this.settle();
  }

  /** What fails undoes all that was not durable: it is missing again. */
  #undoing(work: () => void): void {
    try {
      work();
    } catch (error) {
      for (const id of this.#unsettled) this.#behind.add(id);
      this.#unsettled.clear();
      this.#unsettledEvents = 0;
      this.#journalIsDue = true;
      throw error;
    }
  }

  /** In one transaction: a server that is killed meanwhile finds the library as it was, and sees it again. */
  #remake(id: SessionId): boolean {
    const { reader, writer, journal } = this.#parts;
    const session = reader.session(id);
    if (session === undefined) return true;
    this.settle();
    const upTo = ownUpTo(journal, id, writer.position(), PAGE);
    this.#undoing(() => writer.remake(forLibrary(session), pagesOfPast(reader, id, PAGE), pagesOfOwn(journal, id, upTo, PAGE)));
    return true;
  }
}
