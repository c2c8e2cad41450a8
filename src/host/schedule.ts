/** When one file is read. At most one read is planned at a time. */
export interface Schedule {
  readonly isPending: boolean;
  now(): void;
  /** After everybody else had a turn. */
  next(): void;
  /** Now if the last read is old enough, else together with what comes until then. */
  soon(): void;
  /** When the last read is old enough, never now. */
  later(): void;
  cancel(): void;
}

/** `isBatched` tells a read that waited for more. */
export function createSchedule(batchMs: number, read: (isBatched: boolean) => void): Schedule {
  let timer: NodeJS.Timeout | undefined;
  let turn: NodeJS.Immediate | undefined;
  let lastAt = Number.NEGATIVE_INFINITY;

  const cancel = (): void => {
    clearTimeout(timer);
    clearImmediate(turn);
    timer = undefined;
    turn = undefined;
  };
  const run = (isBatched = false): void => {
    cancel();
    lastAt = performance.now();
    read(isBatched);
  };
  const wait = (ms: number): void => {
    timer ??= setTimeout(run, ms, true);
  };
  return {
    get isPending() {
      return timer !== undefined || turn !== undefined;
    },
    now: run,
    next: () => {
      if (turn) return;
      cancel();
      turn = setImmediate(run);
    },
    soon: () => {
      if (timer || turn) return;
      const waitMs = lastAt + batchMs - performance.now();
      if (waitMs <= 0) run();
      else wait(waitMs);
    },
    later: () => {
      if (!turn) wait(batchMs);
    },
    cancel,
  };
}
