import { archivedIdOf } from '../agents/archived-id.ts';
import type { PastPort } from '../archive/past-sessions-port.ts';
import type { Log } from '../engine/deps.ts';
import type { OpenEngine } from '../engine/open-engine.ts';
import type { Problems } from '../problems/problems.ts';
import type { IndexProgress, RestoreAnswer } from '../protocol/api/archive.ts';
import type { UsageList } from '../protocol/api/usage.ts';
import type { SessionId } from '../protocol/ids.ts';
import { PastShelf } from './known-past-sessions.ts';
import type { Views } from './list/session-list.ts';
import { knownPast, pastPortOver } from './past-sessions.ts';
import type { PastMachine } from './past-summary.ts';
import type { Hidden, Library, LibraryNews, PastAgentName } from './session-index.ts';
import type { FoundHits } from './store/index-store.ts';
import type { IndexingNews } from './threads/messages.ts';
import { LibraryThreads, type ThreadOptions } from './threads/threads.ts';

/** How often it is looked who holds the conversations of past sessions. */
const HOLDERS_MS = 3_000;
/** The journal moves with every event; the library need not follow each by itself. */
const JOURNAL_MS = 100;

export interface LibraryOptions extends Pick<ThreadOptions, 'dataDir' | 'env' | 'runtimes' | 'urls'> {
  /** Agents whose records are read. */
  readonly agents: readonly PastAgentName[];
  readonly machine: PastMachine;
  readonly views: Views;
  /** Offers every session of ours to the views again. */
  readonly refill: () => void;
  readonly log: Log;
  readonly problems: Problems;
}

/** Everything any agent ever did, opened on one data folder. */
export class OpenLibrary {
  readonly library: Library;
  readonly past: PastPort;
  readonly #options: LibraryOptions;
  readonly #threads: LibraryThreads;
  readonly #shelf: PastShelf;
  readonly #listeners = new Set<(news: LibraryNews) => void>();
  #progress: IndexProgress = { phase: 'looking', sessions: { done: 0, total: 0 }, bytes: { done: 0, total: 0 }, unreadable: [] };
  #engine: LibraryEngine | undefined;
  #holdersTimer: NodeJS.Timeout | undefined;
  #journalTimer: NodeJS.Timeout | undefined;
  /** Whether every past session that the list may know has been told since the start. */
  #isListWhole = false;
  /** Those that the thread which reads records told since it was begun, until that is all of them. */
  #toldAtBegin: Set<SessionId> | undefined = new Set();

  constructor(options: LibraryOptions) {
    this.#options = options;
    this.#shelf = new PastShelf(options.machine);
    this.#threads = new LibraryThreads({ ...options, onNews: (news) => this.#heard(news), onEnded: () => this.#threadEnded() });
    this.past = pastPortOver(this.#threads, this.#shelf);
    this.library = this.#libraryOver(this.#threads);
  }

  /** From now on the engine is told of records that grow, and asked who holds which conversation. */
  attach(engine: LibraryEngine): void {
    this.#engine = engine;
    this.#holdersTimer = this.#options.problems.every('see which other programs have past sessions open', HOLDERS_MS, () => this.#lookForHolders());
    this.#holdersTimer.unref();
  }

  /** Something was appended to the journal. */
  journalMoved(): void {
    const tell = (): void => {
      this.#journalTimer = undefined;
      this.#threads.tell({ ask: 'journal' });
    };
    this.#journalTimer ??= this.#options.problems.after('index what happens', JOURNAL_MS, tell).unref();
  }

  /** The disk is nearly full, or has room again. */
  diskChanged(low: boolean): void {
    this.#threads.tell({ ask: 'disk', low });
  }

  /** The list was emptied: past sessions are told again. */
  offerAll(): void {
    void this.#offer(this.#shelf.ids(), []);
  }

  async close(): Promise<void> {
    clearInterval(this.#holdersTimer);
    clearTimeout(this.#journalTimer);
    await this.#threads.close();
  }

  #libraryOver(threads: LibraryThreads): Library {
    const isWhole = () => this.#progress.phase === 'ready';
    return {
      session: async (id) => {
        const known = await knownPast(threads, this.#shelf, id);
        return known && this.#shelf.summary(id);
      },
      events: (sessionId, page) => threads.read({ ask: 'events', sessionId, page }),
      branches: (sessionId) => threads.read({ ask: 'branches', sessionId }),
      raw: (sessionId, page) => threads.read({ ask: 'raw', sessionId, page }),
      blob: (sha256) => threads.read({ ask: 'blob', sha256 }),
      search: async (query, hidden) => {
        const found = await threads.read<FoundHits>({ ask: 'search', query, hidden: this.#hiddenIds(hidden) });
        return { ...found, hits: [...found.hits], whole: isWhole() };
      },
      usage: async (query, hidden) => {
        const used = await threads.read<Omit<UsageList, 'whole'>>({ ask: 'usage', query, hidden: this.#hiddenIds(hidden) });
        return { ...used, whole: isWhole() };
      },
      health: (sessionId) => threads.read({ ask: 'health', sessionId }),
      projects: (agent, hidden) => this.#options.views.projects(agent, this.#hiddenIds(hidden)),
      pastIds: (conversations) => this.#hiddenIds({ sessions: [], conversations }),
      counts: () => this.#options.views.counts(),
      agents: this.#options.agents,
      progress: () => this.#progress,
      rebuild: () => this.#rebuild(),
      kept: () => threads.ask({ ask: 'kept' }),
      keep: (on) => threads.ask({ ask: 'keep', on }),
      restore: async (sessionId) => {
        const restored = await threads.ask<RestoreAnswer | { readonly problem: string }>({ ask: 'restore', sessionId });
        return 'problem' in restored ? { refused: 'conflict', message: restored.problem } : restored;
      },
      follow: async (sessionId) => {
        const stop = () => threads.tell({ ask: 'follow', sessionId, on: false });
        // Whoever was told that it cannot be followed must not have it followed all the same by the next thread.
        await threads.ask({ ask: 'follow', sessionId, on: true }).catch((error: unknown) => {
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

  #heard(news: IndexingNews): void {
    switch (news.tell) {
      case 'listed':
        for (const session of news.sessions) {
          this.#shelf.put(session);
          this.#toldAtBegin?.add(session.id);
        }
        for (const id of news.removed) {
          this.#shelf.drop(id);
          this.#toldAtBegin?.delete(id);
        }
        return void this.#offer(
          news.sessions.map(({ id }) => id),
          news.removed,
        );
      case 'events':
        return this.#tell({ kind: 'events', sessionId: news.sessionId, events: news.events, turned: news.turned });
      case 'grown':
        return this.#engine?.recordGrown(news.agent, news.agentSessionId);
      case 'briefs':
        return void this.#options.views.brief(news.briefs).catch((error: unknown) => this.#complain(error, 'the health of sessions could not be listed'));
      case 'progress':
        return this.#came(news.progress);
      case 'trouble':
        return this.#options.log.error({ reason: news.reason }, news.what);
    }
  }

  #came(progress: IndexProgress): void {
    this.#progress = progress;
    this.#tell({ kind: 'progress', progress });
    if (progress.phase === 'looking' || this.#toldAtBegin === undefined) return;
    const told = this.#toldAtBegin;
    this.#toldAtBegin = undefined;
    for (const id of this.#shelf.ids()) if (!told.has(id)) this.#vanished(id);
    this.#isListWhole = true;
    this.#lookIntoTakenUp();
    this.#options.views.keepOnly(this.#shelf.ids(), true).catch((error: unknown) => this.#complain(error, 'past sessions that are gone are still listed'));
  }

  /** What was written into the record of a session of ours while no server lived, or just before one was killed, is taken in. */
  #lookIntoTakenUp(): void {
    for (const id of this.#shelf.ids()) {
      const past = this.#engine?.session(id) === undefined ? undefined : this.#shelf.get(id);
      if (past !== undefined) this.#engine?.recordGrown(past.agent, past.agentSessionId);
    }
  }

  #vanished(id: SessionId): void {
    this.#shelf.drop(id);
    if (this.#isListWhole) this.#tell({ kind: 'removed', sessionId: id });
  }

  /** It tells all past sessions again when it is begun anew; what vanished without its telling is then seen. */
  #threadEnded(): void {
    this.#toldAtBegin = new Set();
    this.#came({ ...this.#progress, phase: 'looking' });
  }

  /** A past session of ours that somebody took up is told by the engine from then on. */
  async #offer(ids: readonly SessionId[], removed: readonly SessionId[]): Promise<void> {
    const sessions = ids.flatMap((id) => (this.#engine?.session(id) === undefined ? (this.#shelf.summary(id) ?? []) : []));
    try {
      await this.#options.views.offerPast(sessions, removed);
    } catch (error) {
      return this.#complain(error, 'past sessions could not be listed');
    }
    for (const sessionId of removed) this.#tell({ kind: 'removed', sessionId });
    if (this.#isListWhole) for (const session of sessions) this.#tell({ kind: 'session', session });
  }

  async #lookForHolders(): Promise<void> {
    const holders = (await this.#engine?.holders()) ?? [];
    const changed = this.#shelf.held(holders);
    if (changed.length === 0) return;
    this.#threads.tellBoth({ ask: 'held', sessions: this.#shelf.heldIds() });
    await this.#offer(changed, []);
  }

  async #rebuild(): Promise<void> {
    await this.#options.views.rebuild();
    this.#options.refill();
    await this.#threads.ask({ ask: 'rebuild' });
  }

  #tell(news: LibraryNews): void {
    for (const listener of this.#listeners) listener(news);
  }

  #complain(error: unknown, what: string): void {
    this.#options.log.warn({ error }, what);
  }
}

/** What of the engine the library needs. */
export type LibraryEngine = Pick<OpenEngine, 'session' | 'holders' | 'recordGrown'>;
