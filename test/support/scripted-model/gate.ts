/** Holds a reply until a test releases it; the test can also wait until something has arrived. */
export interface Gate {
  /** Lets this many waiters through, now or when they arrive. */
  release(count?: number): void;
  /** Lets everything through from now on. */
  open(): void;
  /** Resolves when this many have arrived in total. */
  arrived(count: number): Promise<void>;
  pass(): Promise<void>;
}

export function createGate(): Gate {
  let allowed = 0;
  let arrivals = 0;
  const waiting: (() => void)[] = [];
  const watchers: { count: number; resolve: () => void }[] = [];
  const letThrough = () => {
    while (allowed > 0 && waiting.length > 0) {
      allowed -= 1;
      waiting.shift()?.();
    }
  };
  return {
    release(count = 1) {
      allowed += count;
      letThrough();
    },
    open() {
      allowed = Number.POSITIVE_INFINITY;
      letThrough();
    },
    arrived: (count) => new Promise((resolve) => (arrivals >= count ? resolve() : watchers.push({ count, resolve }))),
    pass() {
      arrivals += 1;
      for (const watcher of watchers) if (arrivals >= watcher.count) watcher.resolve();
      return new Promise((resolve) => {
        waiting.push(resolve);
        letThrough();
      });
    },
  };
}
