/** Runs asynchronous work one after the other. A failure is reported and doesn't stop the rest. */
export class EffectQueue {
  private tail: Promise<void> = Promise.resolve();
  private waiting = 0;

  constructor(private readonly onError: (error: unknown) => void) {}

  add(work: () => Promise<void>): void {
    this.waiting += 1;
    this.tail = this.tail
      .then(work)
      .catch(this.onError)
      .finally(() => {
        this.waiting -= 1;
      });
  }

  get isQuiet(): boolean {
    return this.waiting === 0;
  }

  /** Resolves when everything added so far, and what that added, is done. */
  async drain(): Promise<void> {
    while (!this.isQuiet) await this.tail;
  }
}
