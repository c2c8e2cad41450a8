import { Worker } from 'node:worker_threads';
import { ViewsFailed } from './views.ts';
import type { Question, WorkerAnswer } from './worker-messages.ts';

interface Waiting {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** Questions to the worker and its answers, in order. */
export class WorkerLine {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  readonly #onEmptied: () => void;
  #lastId = 0;
  #ended: ViewsFailed | undefined;

  constructor(url: URL, path: string, onEmptied: () => void) {
    this.#onEmptied = onEmptied;
    this.#worker = new Worker(url, { workerData: { path } });
    // A worker must not keep a process alive that has nothing else to do.
    this.#worker.unref();
    this.#worker.on('message', (answer: WorkerAnswer) => this.#answered(answer));
    this.#worker.on('error', (error) => this.#end(new ViewsFailed(`The views' worker failed: ${error.message}`, { cause: error })));
    this.#worker.on('exit', () => this.#end(new ViewsFailed("The views' worker has ended")));
  }

  /** The answer's type is that of the question, by the worker's own switch. */
  ask<T>(question: Question): Promise<T> {
    if (this.#ended) return Promise.reject(this.#ended);
    const id = ++this.#lastId;
    return new Promise<T>((resolve, reject) => {
      this.#waiting.set(id, { resolve: resolve as (value: unknown) => void, reject });
      this.#worker.ref();
      this.#worker.postMessage({ ...question, id });
    });
  }

  /** A worker that has ended already is closed as well. */
  async close(): Promise<void> {
    await this.ask({ ask: 'close' }).catch(() => undefined);
    await this.#worker.terminate();
  }

  #answered(answer: WorkerAnswer): void {
    const waiting = this.#waiting.get(answer.id);
    this.#waiting.delete(answer.id);
    if (this.#waiting.size === 0) this.#worker.unref();
    if (answer.ok) {
      waiting?.resolve(answer.value);
      return;
    }
    waiting?.reject(new ViewsFailed(answer.message));
    if (answer.emptied) this.#onEmptied();
  }

  #end(reason: ViewsFailed): void {
    this.#ended ??= reason;
    for (const waiting of this.#waiting.values()) waiting.reject(this.#ended);
    this.#waiting.clear();
  }
}
