import { Worker } from 'node:worker_threads';
import type { Problems } from '../../problems/problems.ts';
import { BadCursor, BadQuery, SessionListFailed, WorkerEnded } from './session-list.ts';
import type { WorkerAnswer } from './worker-messages.ts';

interface Waiting {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

export interface WorkerConnectionOptions<News> {
  readonly url: URL;
  readonly data: object;
  /** Named in errors and logs. */
  readonly name: string;
  /** The worker's database was damaged and has been recreated. */
  readonly onEmptied?: () => void;
  /** Messages it sends without being asked. */
  readonly onNews?: (news: News) => void;
  /** It ended unexpectedly. */
  readonly onEnded?: (reason: SessionListFailed) => void;
  /** Gets a problem when a message from the worker can't be handled. Absent inside a thread: an exception ends only that thread, which is restarted. */
  readonly problems?: Problems;
}

/** Questions to a worker and its answers, in order. */
export class WorkerConnection<Question extends object, News = never> {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  readonly #options: WorkerConnectionOptions<News>;
  #lastId = 0;
  #ended: SessionListFailed | undefined;
  #isClosing = false;

  constructor(options: WorkerConnectionOptions<News>) {
    this.#options = options;
    this.#worker = new Worker(options.url, { workerData: options.data });
    // A worker must not keep a process alive that has nothing else to do.
    this.#worker.unref();
    const listen = <A extends readonly unknown[]>(handle: (...args: A) => void) =>
      options.problems?.guarded(`use what its ${options.name} thread says`, handle) ?? handle;
    this.#worker.on(
      'message',
      listen((message: WorkerAnswer | News) => this.#received(message)),
    );
    this.#worker.on(
      'error',
      listen((error) => this.#end(new WorkerEnded(`The ${options.name} worker failed: ${error.message}`, { cause: error }))),
    );
    this.#worker.on(
      'exit',
      listen(() => this.#end(new WorkerEnded(`The ${options.name} worker has ended`))),
    );
  }

  /** The worker's own switch decides the type of the answer. Transferred buffers belong to the worker from then on. */
  ask<T>(question: Question, transferred: readonly ArrayBuffer[] = []): Promise<T> {
    if (this.#ended) return Promise.reject(this.#ended);
    const id = ++this.#lastId;
    return new Promise<T>((resolve, reject) => {
      this.#waiting.set(id, { resolve: resolve as (value: unknown) => void, reject });
      this.#worker.ref();
      this.#worker.postMessage({ ...question, id }, transferred);
    });
  }

  /** Also closes a worker that has already ended. */
  async close(question: Question): Promise<void> {
    this.#isClosing = true;
    await this.ask(question).catch(() => undefined);
    await this.#worker.terminate();
  }

  #received(message: WorkerAnswer | News): void {
    if (isAnswer(message)) this.#answered(message);
    else this.#options.onNews?.(message);
  }

  #answered(answer: WorkerAnswer): void {
    const waiting = this.#waiting.get(answer.id);
    this.#waiting.delete(answer.id);
    if (this.#waiting.size === 0) this.#worker.unref();
    if (answer.ok) {
      waiting?.resolve(answer.value);
      return;
    }
    waiting?.reject(errorOf(answer));
    if (answer.emptied) this.#options.onEmptied?.();
  }

  #end(reason: SessionListFailed): void {
    const isFirst = this.#ended === undefined;
    this.#ended ??= reason;
    for (const waiting of this.#waiting.values()) waiting.reject(this.#ended);
    this.#waiting.clear();
    if (isFirst && !this.#isClosing) this.#options.onEnded?.(reason);
  }
}

const isAnswer = (message: unknown): message is WorkerAnswer => typeof message === 'object' && message !== null && 'id' in message && 'ok' in message;

/** A bad question keeps its own error type; everything else is a failure of the worker. */
function errorOf({ name, message }: { readonly name?: string; readonly message: string }): Error {
  if (name === 'BadQuery') return new BadQuery(message);
  return name === 'BadCursor' ? new BadCursor() : new SessionListFailed(message);
}
