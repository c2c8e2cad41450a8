/** A place where a reply waits until a test lets it go on; the test can also wait until somebody stands there. */
export interface Gate {
  /** Lets this many waiters through, now or when they come. */
  release(count?: number): void;
  /** Lets everybody through from now on. */
  open(): void;
  /** Resolves when this many have come to the gate in all. */
  arrived(count: number): Promise<void>;
  pass(): Promise<void>;
}

export function createGate(): Gate {
  let allowed = 0;
  let came = 0;
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
    arrived: (count) => new Promise((resolve) => (came >= count ? resolve() : watchers.push({ count, resolve }))),
    pass() {
      came += 1;
      for (const watcher of watchers) if (came >= watcher.count) watcher.resolve();
      return new Promise((resolve) => {
        waiting.push(resolve);
        letThrough();
      });
    },
  };
}
