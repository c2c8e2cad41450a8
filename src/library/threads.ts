import type { Log } from '../engine/deps.ts';
import { WorkerLine } from '../views/worker-line.ts';
import type { IndexingNews, IndexingQuestion, ReadingQuestion } from './messages.ts';

export interface ThreadOptions {
  readonly dataDir: string;
  /** What decides where agents keep their records. */
  readonly env: Readonly<Record<string, string>>;
  /** The built programs; from source they are found beside this file. */
  readonly urls?: { readonly indexing: URL; readonly reading: URL };
  readonly onNews: (news: IndexingNews) => void;
  readonly log: Log;
}

/** What a thread is begun with. */
export type ThreadData = Pick<ThreadOptions, 'dataDir' | 'env'>;

/** The two threads behind the library: one writes, the other answers. */
export class LibraryThreads {
  readonly #options: ThreadOptions;
  readonly #indexing: WorkerLine<IndexingQuestion, IndexingNews>;
  #reading: Promise<WorkerLine<ReadingQuestion>> | undefined;

  constructor(options: ThreadOptions) {
    this.#options = options;
    const { dataDir, env, urls, onNews } = options;
    const url = urls?.indexing ?? new URL('./indexing-from-source.mjs', import.meta.url);
    this.#indexing = new WorkerLine({ url, data: { dataDir, env }, name: 'indexing', onNews });
  }

  ask<T>(question: IndexingQuestion): Promise<T> {
    return this.#indexing.ask(question);
  }

  /** For what nobody waits for: a thread that failed says so once, in the log. */
  tell(question: IndexingQuestion): void {
    this.#indexing
      .ask(question)
      .catch((error: unknown) => this.#options.log.error({ error, ask: question.ask }, 'the thread that reads records could not be told'));
  }

  /** For both. */
  tellBoth(question: IndexingQuestion & ReadingQuestion): void {
    this.tell(question);
    this.#reading
      ?.then((reading) => reading.ask(question))
      .catch((error: unknown) => this.#options.log.error({ error }, 'the thread that reads the library could not be told'));
  }

  async read<T>(question: ReadingQuestion): Promise<T> {
    return (await this.#reader()).ask(question);
  }

  async close(): Promise<void> {
    const reading = await this.#reading?.catch(() => undefined);
    await Promise.all([this.#indexing.close({ ask: 'close' }), reading?.close({ ask: 'close' })]);
  }

  /** Begun with the first question, and not before the other has made the databases that it reads. */
  #reader(): Promise<WorkerLine<ReadingQuestion>> {
    this.#reading ??= this.#indexing.ask({ ask: 'kept' }).then(() => {
      const { dataDir, env, urls } = this.#options;
      return new WorkerLine({ url: urls?.reading ?? new URL('./reading-from-source.mjs', import.meta.url), data: { dataDir, env }, name: 'reading' });
    });
    return this.#reading;
  }
}
