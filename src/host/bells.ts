import { closeSync, constants, existsSync, openSync, writeSync } from 'node:fs';
import { forEach, type Problems } from '../problems/problems.ts';
import { errorCode } from './files.ts';
import type { HostLimits } from './limits.ts';

/** Wakes feeders. A ring carries nothing, so it may be lost, repeated or late without harm. */
export interface Bells {
  ring(bell: string): void;
  /** Feed all that is there, then give end of input. */
  end(bell: string): void;
  /** Something came out of this run: its feeder is awake. */
  onActivity(bell: string): void;
  /** Rings again where nothing stirred: somebody who looked at the FIFO may have taken the ring. */
  ringUnanswered(now: number): void;
  close(): void;
}

/** A ring that failed is still unanswered: the sweep rings again. */
const WAKE = 'wake agents for new messages';

export function createBells(limits: HostLimits, dataDir: string, problems: Problems): Bells {
  const rungAt = new Map<string, number>();
  const later = new Map<string, NodeJS.Timeout>();
  const unanswered = new Map<string, number>();

  const cancel = (bell: string): void => {
    clearTimeout(later.get(bell));
    later.delete(bell);
  };
  const ringNow = (bell: string): void => {
    cancel(bell);
    rungAt.set(bell, performance.now());
    // In a data folder that is gone for a moment nobody is known to be gone: it is rung again.
    if (!writeBell(bell, '\n') && existsSync(dataDir)) forget(bell);
  };
  const forget = (bell: string): void => {
    rungAt.delete(bell);
    unanswered.delete(bell);
  };

  return {
    ring: (bell) => {
      unanswered.set(bell, performance.now());
      const waitMs = (rungAt.get(bell) ?? Number.NEGATIVE_INFINITY) + limits.ringMs - performance.now();
      if (waitMs <= 0) problems.during(WAKE, () => ringNow(bell));
      else if (!later.has(bell))
        later.set(
          bell,
          problems.after(WAKE, waitMs, () => ringNow(bell)),
        );
    },
    end: (bell) => {
      cancel(bell);
      forget(bell);
      writeBell(bell, 'end\n');
    },
    onActivity: (bell) => void unanswered.delete(bell),
    ringUnanswered: (now) => {
      const late = [...unanswered].filter(([, at]) => now - at >= limits.ringAgainMs).map(([bell]) => bell);
      forEach(late, (bell) => {
        ringNow(bell);
        if (existsSync(dataDir)) unanswered.delete(bell);
      });
    },
    close: () => {
      for (const bell of [...later.keys()]) ringNow(bell);
    },
  };
}

/** False when nobody reads the FIFO: the feeder is not up yet (it reads all that is there first) or gone, maybe at this very moment. */
function writeBell(bell: string, word: string): boolean {
  let fd: number;
  try {
    fd = openSync(bell, constants.O_WRONLY | constants.O_NONBLOCK);
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENXIO') return false;
    throw error;
  }
  try {
    writeSync(fd, word);
  } catch (error) {
    if (errorCode(error) === 'EPIPE') return false;
    if (errorCode(error) !== 'EAGAIN') throw error; // full: rung often enough
  } finally {
    closeSync(fd);
  }
  return true;
}
