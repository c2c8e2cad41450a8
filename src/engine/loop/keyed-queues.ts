/** Jobs with the same key run one after the other, even after a failure. Different keys don't wait for each other. */
export class KeyedQueues {
  private readonly tails = new Map<string, Promise<unknown>>();

  async run<T>(name: string, work: () => Promise<T>): Promise<T> {
    const mine = (this.tails.get(name) ?? Promise.resolve()).then(work, work);
    this.tails.set(name, mine);
    try {
      return await mine;
    } finally {
      if (this.tails.get(name) === mine) this.tails.delete(name);
    }
  }
}
