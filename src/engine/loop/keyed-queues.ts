/** Work of one name is done one after the other, whatever became of the work before; different names do not wait for each other. */
export class Lanes {
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
