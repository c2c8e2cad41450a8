import type { AgentRuntimes } from '../../agents/runtime.ts';
import type { Log } from '../../engine/deps.ts';
import type { Problems } from '../../problems/problems.ts';
import { WorkerEnded } from '../list/session-list.ts';
import type { IndexingNews, IndexingQuestion, ReadingQuestion } from './messages.ts';
import { ToldBefore } from './remembered-messages.ts';
import { LastingLine } from './restarting-worker.ts';

export interface ThreadOptions {
  readonly dataDir: string;
  /** What decides where agents keep their records. */
  readonly env: Readonly<Record<string, string>>;
  readonly runtimes: AgentRuntimes;
  /** The built programs; from source they are found beside this file. */
  readonly urls?: { readonly indexing: URL; readonly reading: URL };
  readonly onNews: (news: IndexingNews) => void;
  /** The thread that reads records ended by itself; it is begun anew soon. */
  readonly onEnded: () => void;
  readonly log: Log;
  readonly problems?: Problems;
}

/** What a thread is begun with. */
export type ThreadData = Pick<ThreadOptions, 'dataDir' | 'env' | 'runtimes'>;

/** The two threads behind the library: one writes, the other answers. One that ends by itself is begun anew. */
export class LibraryThreads {
  readonly #options: ThreadOptions;
  readonly #indexing: LastingLine<IndexingQuestion, IndexingNews>;
  readonly #told = new ToldBefore<IndexingQuestion>();
  readonly #toldReading = new ToldBefore<IndexingQuestion & ReadingQuestion>();
  #reading: Promise<LastingLine<ReadingQuestion>> | undefined;

  constructor(options: ThreadOptions) {
    this.#options = options;
    const { dataDir, env, runtimes, urls, onNews, onEnded } = options;
    const url = urls?.indexing ?? new URL('./records-thread-from-source.mjs', import.meta.url);
    this.#indexing = new LastingLine({
      ...told(options),
      url,
      data: { dataDir, env, runtimes },
      name: 'indexing',
      task: 'read past sessions and update the search',
      onNews,
      onEnded,
      toldBefore: () => this.#told.all(),
    });
  }

  ask<T>(question: IndexingQuestion): Promise<T> {
    this.#told.remember(question);
    return this.#indexing.ask(question);
  }

  /** For what nobody waits for: that the thread ended is reported already, and it is told again. */
  tell(question: IndexingQuestion): void {
    const complain = (error: unknown): void => this.#options.log.error({ error, ask: question.ask }, 'the thread that reads records could not be told');
    this.ask(question).catch((error: unknown) => error instanceof WorkerEnded || complain(error));
  }

  /** For both. */
  tellBoth(question: IndexingQuestion & ReadingQuestion): void {
    this.tell(question);
    this.#toldReading.remember(question);
    this.#reading?.then((reading) => this.#tellReading(reading, question)).catch(() => undefined);
  }

  async read<T>(question: ReadingQuestion): Promise<T> {
    return (await this.#reader()).ask(question);
  }

  async close(): Promise<void> {
    const reading = this.#reading?.catch(() => undefined);
    await Promise.all([this.#indexing.close({ ask: 'close' }), reading?.then((line) => line?.close({ ask: 'close' }))]);
  }

  /** Begun with the first question, and not before the other has made the databases that it reads. */
  #reader(): Promise<LastingLine<ReadingQuestion>> {
    this.#reading ??= this.#beginReading().catch((error: unknown) => {
      this.#reading = undefined;
      throw error;
    });
    return this.#reading;
  }

  async #beginReading(): Promise<LastingLine<ReadingQuestion>> {
    await this.#indexing.ask({ ask: 'kept' });
    const { dataDir, env, runtimes, urls } = this.#options;
    const url = urls?.reading ?? new URL('./reader-thread-from-source.mjs', import.meta.url);
    const toldBefore = () => this.#toldReading.all();
    const line = new LastingLine<ReadingQuestion>({ ...told(this.#options), url, data: { dataDir, env, runtimes }, name: 'reading', toldBefore });
    for (const question of toldBefore()) this.#tellReading(line, question);
    return line;
  }

  #tellReading(line: LastingLine<ReadingQuestion>, question: ReadingQuestion): void {
    line.ask(question).catch((error: unknown) => this.#options.log.error({ error }, 'the thread that reads the library could not be told'));
  }
}

const told = ({ log, problems }: ThreadOptions) => ({ log, ...(problems !== undefined && { problems }) });
