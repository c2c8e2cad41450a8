import type { Log } from '../../engine/deps.ts';
import { ViewsFailed, WorkerEnded } from '../list/session-list.ts';
import { WorkerLine, type WorkerLineOptions } from '../list/worker-connection.ts';

/** How long it is waited before a worker that ended is begun anew: twice as long each time, unless it lived longer than the longest wait. */
const FIRST_MS = 1000;
const LONGEST_MS = 30_000;
/** One that has run for so long works: those that fail do so while they open their files. */
const STEADY_MS = 3000;

interface LastingLineOptions<Question, News> extends Omit<WorkerLineOptions<News>, 'onEnded'> {
  readonly log: Log;
  /** It ended by itself; meanwhile nobody works. */
  readonly onEnded?: () => void;
  /** What it must know when it is begun anew: it is told this before any question that waits. */
  readonly toldBefore?: () => readonly Question[];
  readonly firstMs?: number;
  /** What people miss while it doesn't run, as `Problems` wants it said. */
  readonly task?: string;
}

/** Questions to a worker that is begun anew when it ends by itself. Those it had not answered fail; later ones wait for the new one. */
export class LastingLine<Question extends object, News = never> {
  readonly #options: LastingLineOptions<Question, News>;
  #line: Promise<WorkerLine<Question, News>>;
  #begunAt = 0;
  #waitMs: number;
  #giveUp: (() => void) | undefined;
  #isClosed = false;
  #steady: NodeJS.Timeout | undefined;

  constructor(options: LastingLineOptions<Question, News>) {
    this.#options = options;
    this.#waitMs = options.firstMs ?? FIRST_MS;
    this.#line = Promise.resolve(this.#begin());
  }

  async ask<T>(question: Question): Promise<T> {
    return (await this.#line).ask(question);
  }

  async close(question: Question): Promise<void> {
    this.#isClosed = true;
    this.#giveUp?.();
    await this.#line.then((line) => line.close(question)).catch(() => undefined);
  }

  #begin(): WorkerLine<Question, News> {
    this.#begunAt = performance.now();
    return new WorkerLine<Question, News>({ ...this.#options, onEnded: (reason) => this.#ended(reason) });
  }

  #beginAgain(): WorkerLine<Question, News> {
    const { log, name, problems, task, toldBefore } = this.#options;
    const line = this.#begin();
    this.#steady = setTimeout(() => task !== undefined && problems?.worked(task), STEADY_MS).unref();
    const complain = (error: unknown): void => log.error({ error }, `the ${name} worker could not be told again what it must know`);
    // That it ended once more is reported already.
    for (const question of toldBefore?.() ?? []) line.ask(question).catch((error: unknown) => error instanceof WorkerEnded || complain(error));
    return line;
  }

  #ended(reason: ViewsFailed): void {
    clearTimeout(this.#steady);
    if (this.#isClosed) return;
    const { log, name, problems, task, onEnded, firstMs = FIRST_MS } = this.#options;
    if (performance.now() - this.#begunAt > LONGEST_MS) this.#waitMs = firstMs;
    const waitMs = this.#waitMs;
    this.#waitMs = Math.min(2 * waitMs, LONGEST_MS);
    if (problems === undefined || task === undefined)
      log.error({ reason: reason.message, error: reason.cause, againInMs: waitMs }, `the ${name} worker ended and is begun anew`);
    else problems.failed(task, reason);
    this.#line = this.#again(waitMs);
    // Nobody may be waiting for it.
    this.#line.catch(() => undefined);
    onEnded?.();
  }

  #again(waitMs: number): Promise<WorkerLine<Question, News>> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#giveUp = undefined;
        try {
          resolve(this.#beginAgain());
        } catch (error) {
          // No thread is to be had now (no descriptors, no memory): those who wait are told, and it is tried again.
          const reason = new ViewsFailed(`The ${this.#options.name} worker could not be started`, { cause: error });
          reject(reason);
          this.#ended(reason);
        }
      }, waitMs).unref();
      this.#giveUp = () => {
        clearTimeout(timer);
        reject(new ViewsFailed(`The ${this.#options.name} worker has ended`));
      };
    });
  }
}
