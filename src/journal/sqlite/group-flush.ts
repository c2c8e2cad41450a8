/**
 * One flush for all who wait. A call made during a flush shares it when nothing was written since it began, and otherwise gets the next one;
 * when nothing was written since the last one, there is nothing to wait for.
 */
export class GroupFlush {
  readonly #flush: () => Promise<void>;
  /** Grows with everything that is written. */
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
    if (!this.#running) return this.#begin();
    if (upTo === this.#running.upTo) return this.#running.done;
    this.#next ??= this.#running.done.catch(() => undefined).then(() => this.#begin());
    return this.#next;
  }

  #begin(): Promise<void> {
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
