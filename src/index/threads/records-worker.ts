import { archivedIdOf } from '../../agents/port/archived-id.ts';
import type { ArchiveIndexer, ArchiveNews, ArchiveReader, PastBatch, PastSession } from '../../archive/archive.ts';
import type { RestoreAnswer } from '../../protocol/api/archive.ts';
import type { AgentId, SessionId } from '../../protocol/ids.ts';
import type { RecordsNews, RecordsQuestion } from './messages.ts';
import type { RecordSink } from './read-batch.ts';

/** How many sessions to check at a time for a new copy. */
const COPIES = 20;
/** Copy records even if the index can't be written: their agents delete them. */
const COPY_ANYWAY_MS = 5 * 60_000;
/** Changes to the list are sent at most this often. */
const NEWS_MS = 200;

export interface RecordsParts {
  readonly indexer: (news: ArchiveNews) => ArchiveIndexer;
  readonly reader: ArchiveReader;
  readonly sessionIndex: RecordSink;
  readonly post: (news: RecordsNews) => void;
  readonly now: () => number;
  readonly disk: { low: boolean };
}

/** Reads records in short steps, and reports what is in them to the index and to the session list. */
export class RecordsWorker implements ArchiveNews {
  readonly #parts: RecordsParts;
  readonly #indexer: ArchiveIndexer;
  readonly #followed = new Set<SessionId>();
  readonly #sessionIndex: RecordSink;
  /** Sessions without a complete copy when they were last reported. */
  readonly #unkept = new Set<SessionId>();
  #listed = new Map<SessionId, PastSession>();
  #removed = new Set<SessionId>();
  readonly #branches = new Map<SessionId, number>();
  #reportedAt = 0;
  #readAt: number;
  #reportedPhase = '';

  constructor(parts: RecordsParts) {
    this.#parts = parts;
    this.#sessionIndex = parts.sessionIndex;
    this.#readAt = parts.now();
    this.#indexer = parts.indexer(this);
    const sessions = [...parts.reader.sessions()];
    this.#sessionIndex.begin(sessions.map(({ id, lastSeq }) => ({ id, lastSeq })));
    for (const session of sessions) this.listed(session);
  }

  /** A few milliseconds of work; false if nothing is left to do, or if too much waits to be indexed. */
  step(): boolean {
    let more = false;
    try {
      more = this.#work();
    } finally {
      this.#report(!more);
    }
    return more;
  }

  sweep(): void {
    this.#sessionIndex.retry();
    this.#indexer.sweep();
  }

  touched(path: string): void {
    this.#indexer.touched(path);
  }

  answer(question: RecordsQuestion): unknown {
    switch (question.ask) {
      case 'adopted':
        return this.#adopted(question.agent, question.agentSessionId, question.base);
      case 'readNow':
        return this.#readNow(question.agent, question.agentSessionId);
      case 'follow':
        return question.on ? this.#followed.add(question.sessionId).size : this.#followed.delete(question.sessionId);
      case 'journal':
        return this.#sessionIndex.journalMoved();
      case 'openElsewhere':
        return this.#sessionIndex.openElsewhere(question.sessions);
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
    await this.#sessionIndex.close();
    this.#parts.reader.close();
  }

  read(batch: PastBatch): void {
    this.#list(batch.session);
    this.#sessionIndex.read(batch);
    if (this.#followed.has(batch.session.id)) this.#sendEvents(batch);
  }

  listed(session: PastSession): void {
    this.#list(session);
    this.#sessionIndex.listed(session);
  }

  removed(id: SessionId): void {
    this.#listed.delete(id);
    this.#unkept.delete(id);
    this.#removed.add(id);
    this.#sessionIndex.removed(id);
  }

  grown(agent: AgentId, agentSessionId: string): void {
    this.#parts.post({ kind: 'grown', agent, agentSessionId });
  }

  #work(): boolean {
    if (this.#sessionIndex.isFull()) return false;
    if (this.#indexer.step()) {
      this.#readAt = this.#parts.now();
      return true;
    }
    this.#sessionIndex.commit();
    // Copying comes last: anyone waiting for search would wait for it too.
    const mayCopy = this.#sessionIndex.behind() === 0 || this.#parts.now() - this.#readAt >= COPY_ANYWAY_MS;
    if (mayCopy && this.#indexer.copy()) return true;
    this.#checkCopies();
    return false;
  }

  #list(session: PastSession): void {
    this.#removed.delete(session.id);
    this.#listed.set(session.id, session);
    if (session.past.kept) this.#unkept.delete(session.id);
    else this.#unkept.add(session.id);
  }

  #adopted(agent: AgentId, agentSessionId: string, base: number): void {
    const id = archivedIdOf(agent, agentSessionId);
    const numbered = this.#parts.reader.session(id)?.lastSeq ?? 0;
    this.#sessionIndex.adopted(id, base);
    try {
      this.#indexer.adopted(agent, agentSessionId, base);
    } finally {
      // Lines numbered above the base belong to the adopted session, which merges them.
      if (numbered > base) this.grown(agent, agentSessionId);
    }
  }

  #readNow(agent: AgentId, agentSessionId: string): PastSession | undefined {
    const session = this.#indexer.readNow(agent, agentSessionId);
    this.#report(true);
    return session;
  }

  /** If it fails, the reason is the answer. */
  #restore(id: SessionId): RestoreAnswer | { readonly problem: string } {
    try {
      return this.#indexer.restore(id);
    } catch (error) {
      return { problem: error instanceof Error ? error.message : String(error) };
    }
  }

  #sendEvents({ session, events }: PastBatch): void {
    const { id, past } = session;
    const before = this.#branches.get(id) ?? past.branches;
    this.#branches.set(id, past.branches);
    const turned = past.branches !== before && this.#isTurned(id, (events[0]?.seq ?? 1) - 1);
    this.#parts.post({ kind: 'events', sessionId: id, events, turned });
  }

  /** Whether the conversation now continues from before the last event that was sent. */
  #isTurned(id: SessionId, lastSent: number): boolean {
    const active = this.#parts.reader.branches(id).find((branch) => branch.active);
    return active?.from !== undefined && active.from.seq < lastSent;
  }

  /** Copies are made when idle; a few sessions are checked each time, in turn. */
  #checkCopies(): void {
    for (const id of [...this.#unkept].slice(0, COPIES)) {
      this.#unkept.delete(id);
      const session = this.#parts.reader.session(id);
      if (session?.past.kept === true) this.listed(session);
      else if (session !== undefined) this.#unkept.add(id);
    }
  }

  /** The numbers of past sessions stay: only what can be rebuilt is deleted. */
  async #rebuild(): Promise<void> {
    await this.#sessionIndex.rebuild();
    for (const session of this.#parts.reader.sessions()) this.listed(session);
    this.#reportedPhase = '';
  }

  #report(isIdle: boolean): void {
    const now = this.#parts.now();
    if (!isIdle && now - this.#reportedAt < NEWS_MS) return;
    const progress = this.#progress();
    const { phase } = progress;
    this.#reportList();
    if (phase !== this.#reportedPhase || phase !== 'ready') this.#parts.post({ kind: 'progress', progress });
    this.#reportedAt = now;
    this.#reportedPhase = phase;
  }

  #progress() {
    const progress = this.#indexer.progress();
    const behind = this.#sessionIndex.behind();
    if (progress.phase !== 'ready' || behind === 0) return progress;
    const { total } = progress.sessions;
    const share = total === 0 ? 0 : Math.max(0, total - behind) / total;
    const bytes = { done: Math.round(progress.bytes.total * share), total: progress.bytes.total };
    return { ...progress, phase: 'reading' as const, sessions: { done: Math.round(total * share), total }, bytes };
  }

  #reportList(): void {
    if (this.#listed.size === 0 && this.#removed.size === 0) return;
    this.#parts.post({ kind: 'listed', sessions: [...this.#listed.values()], removed: [...this.#removed] });
    this.#listed = new Map();
    this.#removed = new Set();
  }
}
