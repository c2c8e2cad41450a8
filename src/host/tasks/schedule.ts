/** Schedules the reads of one file. At most one read is planned at a time. */
export interface Schedule {
  readonly isPending: boolean;
  now(): void;
  /** After everyone else had a turn. */
  next(): void;
  /** Now if there were few recent reads, otherwise together with what arrives in the meantime. */
  soon(): void;
  /** When the last read is old enough, never now. */
  later(): void;
  /** Someone is waiting for the next output: it is read at once, however much was read before; a read that already waits for more keeps waiting. */
  renew(): void;
  cancel(): void;
}

/**
 * This many reads can follow each other at once before they wait for more. A short turn is twenty lines within a tenth of a second,
 * and none of them should wait, least of all the last one; a flood uses this up in a moment.
 */
const READS_AT_ONCE = 32;

/** `isBatched` marks a read that waited for more. */
export function createSchedule(batchMs: number, read: (isBatched: boolean) => void): Schedule {
  let timer: NodeJS.Timeout | undefined;
  let turn: NodeJS.Immediate | undefined;
  let lastAt = performance.now();
  /** Reads that can be made without waiting; one more every `batchMs`. */
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
