/**
 * One flush for everyone who waits. A call during a flush shares it if nothing was written since it started, otherwise it gets the next one;
 * if nothing was written since the last flush, there is nothing to wait for.
 */
export class GroupFlush {
  readonly #flush: () => Promise<void>;
  /** Increases with every write. */
  readonly #written: () => number;
  #running: { readonly upTo: number; readonly done: Promise<void> } | undefined;
  #next: Promise<void> | undefined;
  #flushed = -1;

  constructor(flush: () => Promise<void>, written: () => number) {
    this.#flush = flush;
    this.#written = written;
  }

  request(): Promise<void> {
    const upTo = this.#written();
    if (upTo === this.#flushed) return Promise.resolve();
    if (!this.#running) return this.#start();
    if (upTo === this.#running.upTo) return this.#running.done;
    this.#next ??= this.#running.done.catch(() => undefined).then(() => this.#start());
    return this.#next;
  }

  #start(): Promise<void> {
    this.#next = undefined;
    const upTo = this.#written();
    const done = this.#flush()
      .then(() => {
        this.#flushed = upTo;
      })
      .finally(() => {
        if (this.#running?.done === done) this.#running = undefined;
      });
    this.#running = { upTo, done };
    return done;
  }
}
