import type { ArchiveIndexer, ArchiveNews, ArchiveReader, PastBatch, PastSession } from '../archive/archive.ts';
import { projectIdOf } from '../engine/summaries.ts';
import type { Journal } from '../journal/journal.ts';
import type { RestoreAnswer } from '../protocol/archive.ts';
import type { AgentId, SessionId } from '../protocol/ids.ts';
import { LibraryEmptied } from '../views/library/open-library.ts';
import type { LibrarySession, LibraryWriter } from '../views/library.ts';
import type { IndexingNews, IndexingQuestion } from './messages.ts';
import type { HeldSessions } from './parts.ts';
import { summaryOfPast } from './past-summary.ts';

/** Events that go from the journal, or from a record that was read before, into the library in one transaction. */
const PAGE = 500;
/** Sessions that are looked at each time for whether they have a copy by now. */
const COPIES = 20;
/** Whoever waits for news of the list need not have it sooner. */
const NEWS_MS = 200;

export interface IndexingParts {
  readonly indexer: (news: ArchiveNews) => ArchiveIndexer;
  readonly reader: ArchiveReader;
  readonly writer: LibraryWriter;
  readonly journal: Pick<Journal, 'since'>;
  readonly post: (news: IndexingNews) => void;
  readonly now: () => number;
  readonly held: HeldSessions;
  readonly disk: { low: boolean };
}

/** Reads records and follows the journal, in short steps; puts all of it into the library, and tells what lists need. */
export class IndexingDesk implements ArchiveNews {
  readonly #parts: IndexingParts;
  readonly #indexer: ArchiveIndexer;
  readonly #followed = new Set<SessionId>();
  /** Past sessions that the library has not wholly: they are read again where they lie. */
  readonly #behind = new Set<SessionId>();
  /** Those of which there was no whole copy when they were last told. */
  readonly #unkept = new Set<SessionId>();
  #listed = new Map<SessionId, PastSession>();
  #removed = new Set<SessionId>();
  readonly #branches = new Map<SessionId, number>();
  #toldAt = 0;
  #toldPhase = '';
  #journalIsDue = true;

  constructor(parts: IndexingParts) {
    this.#parts = parts;
    this.#indexer = parts.indexer(this);
    for (const session of parts.reader.sessions()) {
      this.listed(session);
      if (parts.writer.pastCursor(session.id) < session.lastSeq) this.#behind.add(session.id);
    }
  }

  /** Some milliseconds of work; false when there is none left. */
  step(): boolean {
    try {
      return this.#step();
    } catch (error) {
      if (!(error instanceof LibraryEmptied)) throw error;
      this.#parts.post({ tell: 'trouble', what: 'the library is made anew', reason: error.message });
      this.#feedAgain();
      return true;
    }
  }

  #step(): boolean {
    const read = this.#indexer.step();
    const more = this.#followJournal() || this.#catchUp() || read;
    const isTidy = more || !this.#parts.writer.tidy();
    if (!more) this.#lookAtCopies();
    this.#tell(!more);
    return more || !isTidy;
  }

  sweep(): void {
    this.#indexer.sweep();
  }

  touched(path: string): void {
    this.#indexer.touched(path);
  }

  answer(question: IndexingQuestion): unknown {
    switch (question.ask) {
      case 'takenUp':
        return this.#indexer.takenUp(question.agent, question.agentSessionId, question.base);
      case 'settle':
        return this.#settle(question.agent, question.agentSessionId);
      case 'follow':
        return question.on ? this.#followed.add(question.sessionId).size : this.#followed.delete(question.sessionId);
      case 'journal':
        this.#journalIsDue = true;
        return undefined;
      case 'held':
        return this.#parts.held.set(question.sessions);
      case 'disk':
        this.#parts.disk.low = question.low;
        return undefined;
      case 'kept':
        return this.#indexer.kept();
      case 'keep':
        this.#indexer.keep(question.on);
        return this.#indexer.kept();
      case 'restore':
        return this.#restore(question.sessionId);
      case 'rebuild':
        return this.#rebuild();
      case 'close':
        return this.close();
    }
  }

  close(): void {
    this.#indexer.close();
    this.#parts.writer.close();
    this.#parts.reader.close();
  }

  read(batch: PastBatch): void {
    this.listed(batch.session);
    const { id } = batch.session;
    const first = batch.events[0]?.seq ?? batch.session.lastSeq + 1;
    const isNext = !this.#behind.has(id) && this.#parts.writer.pastCursor(id) === first - 1;
    if (isNext) this.#parts.writer.put(forLibrary(batch.session), batch.events, batch.spent);
    else this.#behind.add(id);
    if (this.#followed.has(id)) this.#tellEvents(batch);
  }

  listed(session: PastSession): void {
    this.#removed.delete(session.id);
    this.#listed.set(session.id, session);
    if (session.past.kept) this.#unkept.delete(session.id);
    else this.#unkept.add(session.id);
  }

  removed(id: SessionId): void {
    this.#listed.delete(id);
    this.#behind.delete(id);
    this.#unkept.delete(id);
    this.#removed.add(id);
    this.#parts.writer.forget(id);
  }

  grown(agent: AgentId, agentSessionId: string): void {
    this.#parts.post({ tell: 'grown', agent, agentSessionId });
  }

  #settle(agent: AgentId, agentSessionId: string): PastSession | undefined {
    const session = this.#indexer.settle(agent, agentSessionId);
    this.#tell(true);
    return session;
  }

  /** Why it cannot be done is an answer, in words. */
  #restore(id: SessionId): RestoreAnswer | { readonly problem: string } {
    try {
      return this.#indexer.restore(id);
    } catch (error) {
      return { problem: error instanceof Error ? error.message : String(error) };
    }
  }

  #tellEvents({ session, events }: PastBatch): void {
    const { id, past } = session;
    const before = this.#branches.get(id) ?? past.branches;
    this.#branches.set(id, past.branches);
    const turned = past.branches !== before && this.#isTurned(id, (events[0]?.seq ?? 1) - 1);
    this.#parts.post({ tell: 'events', sessionId: id, events, turned });
  }

  /** Whether the conversation goes on from before the last event that was told. */
  #isTurned(id: SessionId, lastTold: number): boolean {
    const active = this.#parts.reader.branches(id).find((branch) => branch.active);
    return active?.from !== undefined && active.from.seq < lastTold;
  }

  #followJournal(): boolean {
    if (!this.#journalIsDue) return false;
    const { journal, writer } = this.#parts;
    const entries = journal.since(writer.position(), PAGE);
    // What was said before somebody took a session up comes first.
    for (const { session } of entries) while (this.#behind.has(session)) this.#catchUpOne(session);
    if (entries.length > 0) writer.follow(entries);
    this.#journalIsDue = entries.length === PAGE;
    return this.#journalIsDue;
  }

  #catchUp(): boolean {
    const [id] = this.#behind;
    if (id !== undefined) this.#catchUpOne(id);
    return id !== undefined;
  }

  #catchUpOne(id: SessionId): void {
    const { reader, writer } = this.#parts;
    const session = reader.session(id);
    const batch = session === undefined ? undefined : reader.batch(id, writer.pastCursor(id), PAGE);
    if (session !== undefined && batch !== undefined && batch.events.length > 0) writer.put(forLibrary(session), batch.events, batch.spent);
    else this.#behind.delete(id);
  }

  /** Copies are made when nothing else is to do; some are looked at each time, one after the other. */
  #lookAtCopies(): void {
    for (const id of [...this.#unkept].slice(0, COPIES)) {
      this.#unkept.delete(id);
      const session = this.#parts.reader.session(id);
      if (session?.past.kept === true) this.listed(session);
      else if (session !== undefined) this.#unkept.add(id);
    }
  }

  /** The numbers of past sessions stay: only what can be made again is dropped. */
  #rebuild(): void {
    this.#parts.writer.clear();
    this.#feedAgain();
  }

  #feedAgain(): void {
    this.#journalIsDue = true;
    for (const session of this.#parts.reader.sessions()) {
      this.listed(session);
      this.#behind.add(session.id);
    }
    this.#toldPhase = '';
  }

  #tell(isIdle: boolean): void {
    const now = this.#parts.now();
    const { phase } = this.#progress();
    if (!isIdle && phase === this.#toldPhase && now - this.#toldAt < NEWS_MS) return;
    this.#tellList();
    const briefs = [...this.#parts.writer.changedHealth()];
    if (briefs.length > 0) this.#parts.post({ tell: 'briefs', briefs });
    if (phase !== this.#toldPhase || phase !== 'ready') this.#parts.post({ tell: 'progress', progress: this.#progress() });
    this.#toldAt = now;
    this.#toldPhase = phase;
  }

  #progress() {
    const progress = this.#indexer.progress();
    return progress.phase === 'ready' && this.#behind.size > 0 ? { ...progress, phase: 'reading' as const } : progress;
  }

  #tellList(): void {
    if (this.#listed.size === 0 && this.#removed.size === 0) return;
    this.#parts.post({ tell: 'listed', sessions: [...this.#listed.values()], removed: [...this.#removed] });
    this.#listed = new Map();
    this.#removed = new Set();
  }
}

function forLibrary(session: PastSession): LibrarySession {
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
