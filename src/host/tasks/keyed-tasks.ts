/** Tasks in progress. Tasks with the same key run one after the other. */
export interface KeyedTasks {
  readonly size: number;
  inOrder<T>(key: string, task: () => Promise<T>): Promise<T>;
  settled(): Promise<void>;
}

export function createKeyedTasks(): KeyedTasks {
  const last = new Map<string, Promise<unknown>>();
  return {
    get size() {
      return last.size;
    },
    inOrder: (key, task) => {
      const before = last.get(key);
      const result = before ? before.then(task, task) : task();
      const done = result
        .catch(() => undefined)
        .then(() => {
          if (last.get(key) === done) last.delete(key);
        });
      last.set(key, done);
      return result;
    },
    settled: async () => {
      while (last.size > 0) await Promise.all(last.values());
    },
  };
}
