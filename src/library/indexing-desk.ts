import { archivedIdOf } from '../agents/archived-id.ts';
import type { ArchiveIndexer, ArchiveNews, ArchiveReader, PastBatch, PastSession } from '../archive/archive.ts';
import type { Journal } from '../journal/journal.ts';
import type { RestoreAnswer } from '../protocol/archive.ts';
import type { AgentId, SessionId } from '../protocol/ids.ts';
import { LibraryEmptied } from '../views/library/open-library.ts';
import type { LibraryWriter } from '../views/library.ts';
import { LibraryFeed } from './library-feed.ts';
import type { IndexingNews, IndexingQuestion } from './messages.ts';
import type { HeldSessions } from './parts.ts';
import { Troubles } from './troubles.ts';

/** Sessions that are looked at each time for whether they have a copy by now. */
const COPIES = 20;
/** Whoever waits for news of the list need not have it sooner. */
const NEWS_MS = 200;

export interface IndexingParts {
  readonly indexer: (news: ArchiveNews) => ArchiveIndexer;
  readonly reader: ArchiveReader;
  readonly writer: LibraryWriter;
  readonly journal: Pick<Journal, 'since' | 'after'>;
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
  readonly #feed: LibraryFeed;
  /** Those of which there was no whole copy when they were last told. */
  readonly #unkept = new Set<SessionId>();
  #listed = new Map<SessionId, PastSession>();
  #removed = new Set<SessionId>();
  readonly #branches = new Map<SessionId, number>();
  #toldAt = 0;
  #toldPhase = '';

  constructor(parts: IndexingParts) {
    this.#parts = parts;
    this.#feed = new LibraryFeed({ ...parts, troubles: new Troubles(parts.post) });
    this.#indexer = parts.indexer(this);
    this.#unlessEmptied(() => this.#begin());
  }

  /** Some milliseconds of work; false when there is none left. */
  step(): boolean {
    return this.#unlessEmptied(() => this.#step());
  }

  sweep(): void {
    this.#feed.retry();
    this.#unlessEmptied(() => this.#indexer.sweep());
  }

  touched(path: string): void {
    this.#unlessEmptied(() => this.#indexer.touched(path));
  }

  answer(question: IndexingQuestion): unknown {
    return this.#unlessEmptied(() => this.#answer(question));
  }

  #answer(question: IndexingQuestion): unknown {
    switch (question.ask) {
      case 'takenUp':
        return this.#takenUp(question.agent, question.agentSessionId, question.base);
      case 'settle':
        return this.#settle(question.agent, question.agentSessionId);
      case 'follow':
        return question.on ? this.#followed.add(question.sessionId).size : this.#followed.delete(question.sessionId);
      case 'journal':
        return this.#feed.journalMoved();
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
    this.#list(batch.session);
    this.#feed.read(batch);
    if (this.#followed.has(batch.session.id)) this.#tellEvents(batch);
  }

  listed(session: PastSession): void {
    this.#list(session);
    this.#feed.listed(session);
  }

  removed(id: SessionId): void {
    this.#listed.delete(id);
    this.#unkept.delete(id);
    this.#removed.add(id);
    this.#feed.removed(id);
  }

  grown(agent: AgentId, agentSessionId: string): void {
    this.#parts.post({ tell: 'grown', agent, agentSessionId });
  }

  #begin(): void {
    const sessions = [...this.#parts.reader.sessions()];
    this.#feed.begin(sessions);
    for (const session of sessions) this.listed(session);
  }

  #step(): boolean {
    let more = true;
    try {
      more = this.#work();
    } finally {
      this.#tell(!more);
    }
    return more || this.#parts.writer.tidy();
  }

  /** What cannot be read keeps nothing else from the library. */
  #work(): boolean {
    let hasRead = false;
    let hasFed = false;
    try {
      hasRead = this.#indexer.step();
    } finally {
      hasFed = this.#feed.step();
    }
    if (!hasRead && !hasFed) {
      this.#feed.settle();
      this.#lookAtCopies();
    }
    return hasRead || hasFed;
  }

  /** A library that was found damaged is empty: it is fed again, and what was wanted is done then. */
  #unlessEmptied<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof LibraryEmptied)) throw error;
      this.#parts.post({ tell: 'trouble', what: 'the library is made anew', reason: error.message });
      this.#feedAgain();
      return work();
    }
  }

  #list(session: PastSession): void {
    this.#removed.delete(session.id);
    this.#listed.set(session.id, session);
    if (session.past.kept) this.#unkept.delete(session.id);
    else this.#unkept.add(session.id);
  }

  #takenUp(agent: AgentId, agentSessionId: string, base: number): void {
    const id = archivedIdOf(agent, agentSessionId);
    const given = this.#parts.reader.session(id)?.lastSeq ?? 0;
    this.#feed.takenUp(id, base);
    try {
      this.#indexer.takenUp(agent, agentSessionId, base);
    } finally {
      // Lines that had got numbers before this was known are the session's of ours to tell.
      if (given > base) this.grown(agent, agentSessionId);
    }
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
    const sessions = [...this.#parts.reader.sessions()];
    this.#feed.beginAnew(sessions);
    for (const session of sessions) this.listed(session);
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
    const behind = this.#feed.behind();
    if (progress.phase !== 'ready' || behind === 0) return progress;
    const { total } = progress.sessions;
    const share = total === 0 ? 0 : Math.max(0, total - behind) / total;
    const bytes = { done: Math.round(progress.bytes.total * share), total: progress.bytes.total };
    return { ...progress, phase: 'reading' as const, sessions: { done: Math.round(total * share), total }, bytes };
  }

  #tellList(): void {
    if (this.#listed.size === 0 && this.#removed.size === 0) return;
    this.#parts.post({ tell: 'listed', sessions: [...this.#listed.values()], removed: [...this.#removed] });
    this.#listed = new Map();
    this.#removed = new Set();
  }
}
