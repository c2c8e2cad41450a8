/** When one file is read. At most one read is planned at a time. */
export interface Schedule {
  readonly isPending: boolean;
  now(): void;
  /** After everybody else had a turn. */
  next(): void;
  /** Now if there were few reads lately, else together with what comes in the meantime. */
  soon(): void;
  /** When the last read is old enough, never now. */
  later(): void;
  /** What comes next is waited for: it is read at once again, however much was read before it; a read that waits for more already still waits. */
  renew(): void;
  cancel(): void;
}

/**
 * So many reads may follow each other at once before they wait for more. A short turn is twenty lines within a tenth of a second, of
 * which none should wait for company, the last least of all; a flood has used this up within a moment.
 */
const READS_AT_ONCE = 32;

/** `isBatched` tells a read that waited for more. */
export function createSchedule(batchMs: number, read: (isBatched: boolean) => void): Schedule {
  let timer: NodeJS.Timeout | undefined;
  let turn: NodeJS.Immediate | undefined;
  let lastAt = performance.now();
  /** Reads that may be made without waiting; one more each `batchMs`. */
  let credit = READS_AT_ONCE;

  const cancel = (): void => {
    clearTimeout(timer);
    clearImmediate(turn);
    timer = undefined;
    turn = undefined;
  };
  const run = (isBatched = false): void => {
    cancel();
    earn();
    credit = Math.max(0, credit - 1);
    read(isBatched);
  };
  const earn = (): void => {
    const now = performance.now();
    credit = Math.min(READS_AT_ONCE, credit + (now - lastAt) / batchMs);
    lastAt = now;
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
      earn();
      if (credit >= 1) run();
      else wait((1 - credit) * batchMs);
    },
    later: () => {
      if (!turn) wait(batchMs);
    },
    renew: () => {
      credit = READS_AT_ONCE;
    },
    cancel,
  };
}
