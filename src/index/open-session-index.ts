import { archivedIdOf } from '../agents/port/archived-id.ts';
import type { PastSessionsPort } from '../archive/past-sessions-port.ts';
import type { Log } from '../problems/log.ts';
import type { Problems } from '../problems/problems.ts';
import type { IndexProgress, RestoreAnswer } from '../protocol/api/archive.ts';
import type { UsageList } from '../protocol/api/usage.ts';
import type { AgentId, SessionId } from '../protocol/ids.ts';
import type { Session } from '../protocol/session.ts';
import { KnownPastSessions, type PastHolder } from './known-past-sessions.ts';
import type { PastMachine } from './list/past-summary.ts';
import type { SessionList } from './list/session-list.ts';
import { createPastSessionsPort, knownPast } from './past-sessions.ts';
import type { Hidden, IndexNews, PastAgentName, SessionIndex } from './session-index.ts';
import type { FoundHits } from './store/index-store.ts';
import type { RecordsNews } from './threads/messages.ts';
import { IndexThreads, type ThreadOptions } from './threads/threads.ts';

/** How often to check which programs have past sessions open. */
const HOLDERS_MS = 3_000;
/** The journal grows with every event; the index follows in batches. */
const JOURNAL_MS = 100;

export interface SessionIndexOptions extends Pick<ThreadOptions, 'dataDir' | 'env' | 'runtimes' | 'urls'> {
  /** Agents whose records are read. */
  readonly agents: readonly PastAgentName[];
  readonly machine: PastMachine;
  readonly sessionList: SessionList;
  /** Offers every session of ours to the list again. */
  readonly refill: () => void;
  readonly log: Log;
  readonly problems: Problems;
}

/** Everything any agent ever did, opened on one data folder. */
export class OpenSessionIndex {
  readonly sessionIndex: SessionIndex;
  readonly past: PastSessionsPort;
  readonly #options: SessionIndexOptions;
  readonly #threads: IndexThreads;
  readonly #pastSessions: KnownPastSessions;
  readonly #listeners = new Set<(news: IndexNews) => void>();
  #progress: IndexProgress = { phase: 'looking', sessions: { done: 0, total: 0 }, bytes: { done: 0, total: 0 }, unreadable: [] };
  #engine: IndexEngine | undefined;
  #holdersTimer: NodeJS.Timeout | undefined;
  #journalTimer: NodeJS.Timeout | undefined;
  /** Whether every past session that may be in the list has been reported since the start. */
  #isListComplete = false;
  /** Past sessions that the records thread has reported since it started; undefined once it has reported all. */
  #listedSinceStart: Set<SessionId> | undefined = new Set();

  constructor(options: SessionIndexOptions) {
    this.#options = options;
    this.#pastSessions = new KnownPastSessions(options.machine);
    this.#threads = new IndexThreads({ ...options, onNews: (news) => this.#received(news), onEnded: () => this.#threadEnded() });
    this.past = createPastSessionsPort(this.#threads, this.#pastSessions);
    this.sessionIndex = this.#indexOver(this.#threads);
  }

  /** From now on the engine is notified of growing records, and asked which conversations other programs have open. */
  attach(engine: IndexEngine): void {
    this.#engine = engine;
    this.#holdersTimer = this.#options.problems.every('see which other programs have past sessions open', HOLDERS_MS, () => this.#lookForHolders());
    this.#holdersTimer.unref();
  }

  /** Something was appended to the journal. */
  journalMoved(): void {
    const notify = (): void => {
      this.#journalTimer = undefined;
      this.#threads.notifyRecords({ ask: 'journal' });
    };
    this.#journalTimer ??= this.#options.problems.after('index what happens', JOURNAL_MS, notify).unref();
  }

  /** The disk is nearly full, or has space again. */
  diskChanged(low: boolean): void {
    this.#threads.notifyRecords({ ask: 'disk', low });
  }

  /** The list was emptied: past sessions are offered again. */
  offerAll(): void {
    void this.#offer(this.#pastSessions.ids(), []);
  }

  async close(): Promise<void> {
    clearInterval(this.#holdersTimer);
    clearTimeout(this.#journalTimer);
    await this.#threads.close();
  }

  #indexOver(threads: IndexThreads): SessionIndex {
    const isWhole = () => this.#progress.phase === 'ready';
    return {
      session: async (id) => {
        const known = await knownPast(threads, this.#pastSessions, id);
        return known && this.#pastSessions.summary(id);
      },
      events: (sessionId, page) => threads.askReader({ ask: 'events', sessionId, page }),
      branches: (sessionId) => threads.askReader({ ask: 'branches', sessionId }),
      raw: (sessionId, page) => threads.askReader({ ask: 'raw', sessionId, page }),
      blob: (sha256) => threads.askReader({ ask: 'blob', sha256 }),
      search: async (query, hidden) => {
        const found = await threads.askReader<FoundHits>({ ask: 'search', query, hidden: this.#hiddenIds(hidden) });
        return { ...found, hits: [...found.hits], whole: isWhole() };
      },
      usage: async (query, hidden) => {
        const used = await threads.askReader<Omit<UsageList, 'whole'>>({ ask: 'usage', query, hidden: this.#hiddenIds(hidden) });
        return { ...used, whole: isWhole() };
      },
      health: (sessionId) => threads.askReader({ ask: 'health', sessionId }),
      projects: (agent, hidden) => this.#options.sessionList.projects(agent, this.#hiddenIds(hidden)),
      pastIds: (conversations) => this.#hiddenIds({ sessions: [], conversations }),
      counts: () => this.#options.sessionList.counts(),
      agents: this.#options.agents,
      progress: () => this.#progress,
      rebuild: () => this.#rebuild(),
      kept: () => threads.askRecords({ ask: 'kept' }),
      keep: (on) => threads.askRecords({ ask: 'keep', on }),
      restore: async (sessionId) => {
        const restored = await threads.askRecords<RestoreAnswer | { readonly problem: string }>({ ask: 'restore', sessionId });
        return 'problem' in restored ? { refused: 'conflict', message: restored.problem } : restored;
      },
      follow: async (sessionId) => {
        const stop = () => threads.notifyRecords({ ask: 'follow', sessionId, on: false });
        // A caller whose request failed must not have the session followed by the next thread.
        await threads.askRecords({ ask: 'follow', sessionId, on: true }).catch((error: unknown) => {
          stop();
          throw error;
        });
        return stop;
      },
      watch: (listener) => {
        this.#listeners.add(listener);
        return () => this.#listeners.delete(listener);
      },
    };
  }

  #hiddenIds({ sessions, conversations }: Hidden): readonly SessionId[] {
    const past = conversations.flatMap((conversation) => this.#options.agents.map(({ id }) => archivedIdOf(id, conversation)));
    return [...sessions, ...past];
  }

  #received(news: RecordsNews): void {
    switch (news.kind) {
      case 'listed':
        for (const session of news.sessions) {
          this.#pastSessions.put(session);
          this.#listedSinceStart?.add(session.id);
        }
        for (const id of news.removed) {
          this.#pastSessions.drop(id);
          this.#listedSinceStart?.delete(id);
        }
        return void this.#offer(
          news.sessions.map(({ id }) => id),
          news.removed,
        );
      case 'events':
        return this.#publish({ kind: 'events', sessionId: news.sessionId, events: news.events, turned: news.turned });
      case 'grown':
        return this.#engine?.recordGrown(news.agent, news.agentSessionId);
      case 'briefs':
        return void this.#options.sessionList
          .brief(news.briefs)
          .catch((error: unknown) => this.#logFailure(error, 'the health of sessions could not be listed'));
      case 'progress':
        return this.#progressed(news.progress);
      case 'problem':
        return this.#options.log.error({ reason: news.reason }, news.what);
    }
  }

  #progressed(progress: IndexProgress): void {
    this.#progress = progress;
    this.#publish({ kind: 'progress', progress });
    if (progress.phase === 'looking' || this.#listedSinceStart === undefined) return;
    const reported = this.#listedSinceStart;
    this.#listedSinceStart = undefined;
    for (const id of this.#pastSessions.ids()) if (!reported.has(id)) this.#vanished(id);
    this.#isListComplete = true;
    this.#mergeAdopted();
    this.#options.sessionList
      .keepOnly(this.#pastSessions.ids(), 'records')
      .catch((error: unknown) => this.#logFailure(error, 'past sessions that are gone are still listed'));
  }

  /** Merges what was written into the record of an adopted session while no server was running, or just before one was killed. */
  #mergeAdopted(): void {
    for (const id of this.#pastSessions.ids()) {
      const past = this.#engine?.session(id) === undefined ? undefined : this.#pastSessions.get(id);
      if (past !== undefined) this.#engine?.recordGrown(past.agent, past.agentSessionId);
    }
  }

  #vanished(id: SessionId): void {
    this.#pastSessions.drop(id);
    if (this.#isListComplete) this.#publish({ kind: 'removed', sessionId: id });
  }

  /** A restarted thread reports all past sessions again, which shows what has vanished in the meantime. */
  #threadEnded(): void {
    this.#listedSinceStart = new Set();
    this.#progressed({ ...this.#progress, phase: 'looking' });
  }

  /** Once a past session is adopted, the engine reports it. */
  async #offer(ids: readonly SessionId[], removed: readonly SessionId[]): Promise<void> {
    const sessions = ids.flatMap((id) => (this.#engine?.session(id) === undefined ? (this.#pastSessions.summary(id) ?? []) : []));
    try {
      await this.#options.sessionList.offerPast(sessions, removed);
    } catch (error) {
      return this.#logFailure(error, 'past sessions could not be listed');
    }
    for (const sessionId of removed) this.#publish({ kind: 'removed', sessionId });
    if (this.#isListComplete) for (const session of sessions) this.#publish({ kind: 'session', session });
  }

  async #lookForHolders(): Promise<void> {
    const holders = (await this.#engine?.holders()) ?? [];
    const changed = this.#pastSessions.updateHolders(holders);
    if (changed.length === 0) return;
    this.#threads.notifyBoth({ ask: 'openElsewhere', sessions: this.#pastSessions.idsOpenElsewhere() });
    await this.#offer(changed, []);
  }

  async #rebuild(): Promise<void> {
    await this.#options.sessionList.rebuild();
    this.#options.refill();
    await this.#threads.askRecords({ ask: 'rebuild' });
  }

  #publish(news: IndexNews): void {
    for (const listener of this.#listeners) listener(news);
  }

  #logFailure(error: unknown, what: string): void {
    this.#options.log.warn({ error }, what);
  }
}

/** What the index needs from the engine. */
export interface IndexEngine {
  session(id: SessionId): Session | undefined;
  holders(): Promise<readonly PastHolder[]>;
  recordGrown(agent: AgentId, agentSessionId: string): void;
}
