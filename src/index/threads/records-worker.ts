import { archivedIdOf } from '../../agents/archived-id.ts';
import type { ArchiveIndexer, ArchiveNews, ArchiveReader, PastBatch, PastSession } from '../../archive/archive.ts';
import type { RestoreAnswer } from '../../protocol/api/archive.ts';
import type { AgentId, SessionId } from '../../protocol/ids.ts';
import type { IndexingNews, IndexingQuestion } from './messages.ts';
import type { LibrarySide } from './read-batch.ts';

/** Sessions that are looked at each time for whether they have a copy by now. */
const COPIES = 20;
/** A library that cannot be written does not keep records from being copied: their agents delete them. */
const COPY_ANYWAY_MS = 5 * 60_000;
/** Whoever waits for news of the list need not have it sooner. */
const NEWS_MS = 200;

export interface IndexingParts {
  readonly indexer: (news: ArchiveNews) => ArchiveIndexer;
  readonly reader: ArchiveReader;
  readonly library: LibrarySide;
  readonly post: (news: IndexingNews) => void;
  readonly now: () => number;
  readonly disk: { low: boolean };
}

/** Reads records in short steps; tells the library what is in them, and whoever makes lists what those need. */
export class IndexingDesk implements ArchiveNews {
  readonly #parts: IndexingParts;
  readonly #indexer: ArchiveIndexer;
  readonly #followed = new Set<SessionId>();
  readonly #library: LibrarySide;
  /** Those of which there was no whole copy when they were last told. */
  readonly #unkept = new Set<SessionId>();
  #listed = new Map<SessionId, PastSession>();
  #removed = new Set<SessionId>();
  readonly #branches = new Map<SessionId, number>();
  #toldAt = 0;
  #readAt: number;
  #toldPhase = '';

  constructor(parts: IndexingParts) {
    this.#parts = parts;
    this.#library = parts.library;
    this.#readAt = parts.now();
    this.#indexer = parts.indexer(this);
    const sessions = [...parts.reader.sessions()];
    this.#library.begin(sessions.map(({ id, lastSeq }) => ({ id, lastSeq })));
    for (const session of sessions) this.listed(session);
  }

  /** Some milliseconds of work; false when there is none left, or when the library has too much to do to be told more. */
  step(): boolean {
    let more = false;
    try {
      more = this.#work();
    } finally {
      this.#tell(!more);
    }
    return more;
  }

  sweep(): void {
    this.#library.retry();
    this.#indexer.sweep();
  }

  touched(path: string): void {
    this.#indexer.touched(path);
  }

  answer(question: IndexingQuestion): unknown {
    switch (question.ask) {
      case 'takenUp':
        return this.#takenUp(question.agent, question.agentSessionId, question.base);
      case 'settle':
        return this.#settle(question.agent, question.agentSessionId);
      case 'follow':
        return question.on ? this.#followed.add(question.sessionId).size : this.#followed.delete(question.sessionId);
      case 'journal':
        return this.#library.journalMoved();
      case 'held':
        return this.#library.held(question.sessions);
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

  async close(): Promise<void> {
    this.#indexer.close();
    await this.#library.close();
    this.#parts.reader.close();
  }

  read(batch: PastBatch): void {
    this.#list(batch.session);
    this.#library.read(batch);
    if (this.#followed.has(batch.session.id)) this.#tellEvents(batch);
  }

  listed(session: PastSession): void {
    this.#list(session);
    this.#library.listed(session);
  }

  removed(id: SessionId): void {
    this.#listed.delete(id);
    this.#unkept.delete(id);
    this.#removed.add(id);
    this.#library.removed(id);
  }

  grown(agent: AgentId, agentSessionId: string): void {
    this.#parts.post({ tell: 'grown', agent, agentSessionId });
  }

  #work(): boolean {
    if (this.#library.isFull()) return false;
    if (this.#indexer.step()) {
      this.#readAt = this.#parts.now();
      return true;
    }
    this.#library.settle();
    // Copies are made when everything can be found: whoever waits to search would wait for them too.
    const mayCopy = this.#library.behind() === 0 || this.#parts.now() - this.#readAt >= COPY_ANYWAY_MS;
    if (mayCopy && this.#indexer.copy()) return true;
    this.#lookAtCopies();
    return false;
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
    this.#library.takenUp(id, base);
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
  async #rebuild(): Promise<void> {
    await this.#library.rebuild();
    for (const session of this.#parts.reader.sessions()) this.listed(session);
    this.#toldPhase = '';
  }

  #tell(isIdle: boolean): void {
    const now = this.#parts.now();
    if (!isIdle && now - this.#toldAt < NEWS_MS) return;
    const progress = this.#progress();
    const { phase } = progress;
    this.#tellList();
    if (phase !== this.#toldPhase || phase !== 'ready') this.#parts.post({ tell: 'progress', progress });
    this.#toldAt = now;
    this.#toldPhase = phase;
  }

  #progress() {
    const progress = this.#indexer.progress();
    const behind = this.#library.behind();
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
