/** One flush for all who wait: a call made during a flush gets the next one, since the running one may have begun too early for it. */
export class GroupFlush {
  readonly #flush: () => Promise<void>;
  #running: Promise<void> | undefined;
  #next: Promise<void> | undefined;

  constructor(flush: () => Promise<void>) {
    this.#flush = flush;
  }

  request(): Promise<void> {
    if (!this.#running) return this.#begin();
    this.#next ??= this.#running.catch(() => undefined).then(() => this.#begin());
    return this.#next;
  }

  #begin(): Promise<void> {
    this.#next = undefined;
    const running = this.#flush().finally(() => {
      if (this.#running === running) this.#running = undefined;
    });
    this.#running = running;
    return running;
  }
}
