import type { Log } from '../engine/deps.ts';
import { ViewsFailed } from '../views/views.ts';
import { WorkerLine, type WorkerLineOptions } from '../views/worker-line.ts';

/** How long it is waited before a worker that ended is begun anew: twice as long each time, unless it lived longer than the longest wait. */
const FIRST_MS = 1000;
const LONGEST_MS = 30_000;

interface LastingLineOptions<Question, News> extends Omit<WorkerLineOptions<News>, 'onEnded'> {
  readonly log: Log;
  /** It ended by itself; meanwhile nobody works. */
  readonly onEnded?: () => void;
  /** What it must know when it is begun anew: it is told this before any question that waits. */
  readonly toldBefore?: () => readonly Question[];
  readonly firstMs?: number;
}

/** Questions to a worker that is begun anew when it ends by itself. Those it had not answered fail; later ones wait for the new one. */
export class LastingLine<Question extends object, News = never> {
  readonly #options: LastingLineOptions<Question, News>;
  #line: Promise<WorkerLine<Question, News>>;
  #begunAt = 0;
  #waitMs: number;
  #giveUp: (() => void) | undefined;
  #isClosed = false;

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
    const { log, name, toldBefore } = this.#options;
    const line = this.#begin();
    for (const question of toldBefore?.() ?? [])
      line.ask(question).catch((error: unknown) => log.error({ error }, `the ${name} worker could not be told again what it must know`));
    return line;
  }

  #ended(reason: ViewsFailed): void {
    if (this.#isClosed) return;
    const { log, name, onEnded, firstMs = FIRST_MS } = this.#options;
    if (performance.now() - this.#begunAt > LONGEST_MS) this.#waitMs = firstMs;
    const waitMs = this.#waitMs;
    this.#waitMs = Math.min(2 * waitMs, LONGEST_MS);
    log.error({ reason: reason.message, error: reason.cause, againInMs: waitMs }, `the ${name} worker ended and is begun anew`);
    this.#line = this.#again(waitMs);
    // Nobody may be waiting for it.
    this.#line.catch(() => undefined);
    onEnded?.();
  }

  #again(waitMs: number): Promise<WorkerLine<Question, News>> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#giveUp = undefined;
        resolve(this.#beginAgain());
      }, waitMs).unref();
      this.#giveUp = () => {
        clearTimeout(timer);
        reject(new ViewsFailed(`The ${this.#options.name} worker has ended`));
      };
    });
  }
}
