import type { AgentRuntimes } from '../../agents/port/agent-runtime.ts';
import type { Log } from '../../problems/log.ts';
import type { Problems } from '../../problems/problems.ts';
import { WorkerEnded } from '../list/session-list.ts';
import type { ReaderQuestion, RecordsNews, RecordsQuestion } from './messages.ts';
import { RestartingWorker } from './restarting-worker.ts';

export interface ThreadOptions {
  readonly dataDir: string;
  /** Decides where agents store their records. */
  readonly env: Readonly<Record<string, string>>;
  readonly runtimes: AgentRuntimes;
  /** The built programs; from source they are found next to this file. */
  readonly urls?: { readonly records: URL; readonly reader: URL };
  readonly onNews: (news: RecordsNews) => void;
  /** The records thread ended unexpectedly; it is restarted soon. */
  readonly onEnded: () => void;
  readonly log: Log;
  readonly problems?: Problems;
}

/** The data a thread starts with. */
export type ThreadData = Pick<ThreadOptions, 'dataDir' | 'env' | 'runtimes'>;

/** The connections to the records thread (which starts the writer thread) and to the reader thread. A thread that ends unexpectedly is restarted. */
export class IndexThreads {
  readonly #options: ThreadOptions;
  readonly #records: RestartingWorker<RecordsQuestion, RecordsNews>;
  readonly #remembered = new RememberedMessages<RecordsQuestion>();
  readonly #rememberedByReader = new RememberedMessages<RecordsQuestion & ReaderQuestion>();
  #readerWorker: Promise<RestartingWorker<ReaderQuestion>> | undefined;

  constructor(options: ThreadOptions) {
    this.#options = options;
    const { dataDir, env, runtimes, urls, onNews, onEnded } = options;
    const url = urls?.records ?? new URL('./records-thread-from-source.mjs', import.meta.url);
    this.#records = new RestartingWorker({
      ...loggingOf(options),
      url,
      data: { dataDir, env, runtimes },
      name: 'records',
      task: 'read past sessions and update the search',
      onNews,
      onEnded,
      remembered: () => this.#remembered.all(),
    });
  }

  askRecords<T>(question: RecordsQuestion): Promise<T> {
    this.#remembered.remember(question);
    return this.#records.ask(question);
  }

  /** For what must not wait: undefined while no thread could answer, which can last for half a minute. */
  async askRecordsNow<T>(question: RecordsQuestion): Promise<{ readonly answer: T } | undefined> {
    if (this.#records.isDown) return undefined;
    try {
      return { answer: await this.askRecords<T>(question) };
    } catch (error) {
      if (error instanceof WorkerEnded) return undefined;
      throw error;
    }
  }

  /** For messages whose answer is not needed. An ended thread is already reported, and the next one gets the message again. */
  notifyRecords(question: RecordsQuestion): void {
    const logFailure = (error: unknown): void => this.#options.log.error({ error, ask: question.ask }, 'the records thread could not be notified');
    this.askRecords(question).catch((error: unknown) => error instanceof WorkerEnded || logFailure(error));
  }

  /** Notifies both threads. */
  notifyBoth(question: RecordsQuestion & ReaderQuestion): void {
    this.notifyRecords(question);
    this.#rememberedByReader.remember(question);
    this.#readerWorker?.then((reader) => this.#notifyReader(reader, question)).catch(() => undefined);
  }

  async askReader<T>(question: ReaderQuestion): Promise<T> {
    return (await this.#reader()).ask(question);
  }

  async close(): Promise<void> {
    const started = this.#readerWorker?.catch(() => undefined);
    await Promise.all([this.#records.close({ ask: 'close' }), started?.then((reader) => reader?.close({ ask: 'close' }))]);
  }

  /** Started with the first question, once the records thread has created the databases. */
  #reader(): Promise<RestartingWorker<ReaderQuestion>> {
    this.#readerWorker ??= this.#startReader().catch((error: unknown) => {
      this.#readerWorker = undefined;
      throw error;
    });
    return this.#readerWorker;
  }

  async #startReader(): Promise<RestartingWorker<ReaderQuestion>> {
    await this.#records.ask({ ask: 'kept' });
    const { dataDir, env, runtimes, urls } = this.#options;
    const url = urls?.reader ?? new URL('./reader-thread-from-source.mjs', import.meta.url);
    const remembered = () => this.#rememberedByReader.all();
    const reader = new RestartingWorker<ReaderQuestion>({ ...loggingOf(this.#options), url, data: { dataDir, env, runtimes }, name: 'reader', remembered });
    for (const question of remembered()) this.#notifyReader(reader, question);
    return reader;
  }

  #notifyReader(reader: RestartingWorker<ReaderQuestion>, question: ReaderQuestion): void {
    reader.ask(question).catch((error: unknown) => this.#options.log.error({ error }, 'the reader thread could not be notified'));
  }
}

const loggingOf = ({ log, problems }: ThreadOptions) => ({ log, ...(problems !== undefined && { problems }) });

/** Messages that a thread keeps only in memory: a restarted thread gets them again. */
class RememberedMessages<Question extends RecordsQuestion> {
  readonly #messages = new Map<string, Question>();

  remember(question: Question): void {
    const key = keyOf(question);
    if (key === undefined) return;
    this.#messages.delete(key);
    if (question.ask !== 'follow' || question.on) this.#messages.set(key, question);
  }

  /** In the order they were sent. */
  all(): readonly Question[] {
    return [...this.#messages.values()];
  }
}

function keyOf(question: RecordsQuestion): string | undefined {
  switch (question.ask) {
    case 'adopted':
      return `${question.ask} ${question.agent} ${question.agentSessionId}`;
    case 'follow':
      return `${question.ask} ${question.sessionId}`;
    case 'openElsewhere':
    case 'disk':
      return question.ask;
    default:
      return undefined;
  }
}
