import type { Log } from '../../problems/log.ts';
import { SessionListFailed, WorkerEnded } from '../list/session-list.ts';
import { WorkerConnection, type WorkerConnectionOptions } from '../list/worker-connection.ts';

/** How long to wait before restarting a worker: twice as long each time, unless it ran for longer than the longest wait. */
const FIRST_MS = 1000;
const LONGEST_MS = 30_000;
/** A worker that has run for this long works: the ones that fail do so while they open their files. */
const STEADY_MS = 3000;

interface RestartingWorkerOptions<Question, News> extends Omit<WorkerConnectionOptions<News>, 'onEnded'> {
  readonly log: Log;
  /** It ended unexpectedly; until it restarts, nothing is done. */
  readonly onEnded?: () => void;
  /** Messages a restarted worker needs before any waiting question. */
  readonly remembered?: () => readonly Question[];
  readonly firstMs?: number;
  /** What people miss while it isn't running, in the wording of `Problems`. */
  readonly task?: string;
}

/** Questions to a worker that is restarted when it ends unexpectedly. Unanswered questions fail; later ones wait for the new worker. */
export class RestartingWorker<Question extends object, News = never> {
  readonly #options: RestartingWorkerOptions<Question, News>;
  #connection: Promise<WorkerConnection<Question, News>>;
  #startedAt = 0;
  #waitMs: number;
  #giveUp: (() => void) | undefined;
  #isClosed = false;
  #steady: NodeJS.Timeout | undefined;

  constructor(options: RestartingWorkerOptions<Question, News>) {
    this.#options = options;
    this.#waitMs = options.firstMs ?? FIRST_MS;
    this.#connection = Promise.resolve(this.#start());
  }

  /** It ended and is not restarted yet: a question would wait until it is. */
  get isDown(): boolean {
    return this.#giveUp !== undefined;
  }

  async ask<T>(question: Question): Promise<T> {
    return (await this.#connection).ask(question);
  }

  async close(question: Question): Promise<void> {
    this.#isClosed = true;
    this.#giveUp?.();
    await this.#connection.then((connection) => connection.close(question)).catch(() => undefined);
  }

  #start(): WorkerConnection<Question, News> {
    this.#startedAt = performance.now();
    return new WorkerConnection<Question, News>({ ...this.#options, onEnded: (reason) => this.#ended(reason) });
  }

  #startAgain(): WorkerConnection<Question, News> {
    const { log, name, problems, task, remembered } = this.#options;
    const connection = this.#start();
    this.#steady = setTimeout(() => task !== undefined && problems?.worked(task), STEADY_MS).unref();
    const logFailure = (error: unknown): void => log.error({ error }, `the ${name} worker could not be given its remembered messages`);
    // That it ended again is already reported.
    for (const question of remembered?.() ?? []) connection.ask(question).catch((error: unknown) => error instanceof WorkerEnded || logFailure(error));
    return connection;
  }

  #ended(reason: SessionListFailed): void {
    clearTimeout(this.#steady);
    if (this.#isClosed) return;
    const { log, name, problems, task, onEnded, firstMs = FIRST_MS } = this.#options;
    if (performance.now() - this.#startedAt > LONGEST_MS) this.#waitMs = firstMs;
    const waitMs = this.#waitMs;
    this.#waitMs = Math.min(2 * waitMs, LONGEST_MS);
    if (problems === undefined || task === undefined)
      log.error({ reason: reason.message, error: reason.cause, againInMs: waitMs }, `the ${name} worker ended and is restarted`);
    else problems.failed(task, reason);
    this.#connection = this.#again(waitMs);
    // Nothing may be waiting for it.
    this.#connection.catch(() => undefined);
    onEnded?.();
  }

  #again(waitMs: number): Promise<WorkerConnection<Question, News>> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#giveUp = undefined;
        try {
          resolve(this.#startAgain());
        } catch (error) {
          // No thread can be started now (no descriptors, no memory): waiting questions fail, and it is tried again.
          const reason = new SessionListFailed(`The ${this.#options.name} worker could not be started`, { cause: error });
          reject(reason);
          this.#ended(reason);
        }
      }, waitMs).unref();
      this.#giveUp = () => {
        clearTimeout(timer);
        this.#giveUp = undefined;
        reject(new SessionListFailed(`The ${this.#options.name} worker has ended`));
      };
    });
  }
}
