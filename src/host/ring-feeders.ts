import { closeSync, constants, existsSync, openSync, writeSync } from 'node:fs';
import { forEach, type Problems } from '../problems/problems.ts';
import { errorCode } from './files.ts';
import type { HostLimits } from './limits.ts';

/** Wakes feeders. A ring carries no data, so it does no harm if it is lost, repeated or late. */
export interface Bells {
  ring(bell: string): void;
  /** Feeds everything that is in the file, then gives end of input. */
  end(bell: string): void;
  /** The run printed something, so its feeder is awake. */
  onActivity(bell: string): void;
  /** Rings again where nothing happened: another reader of the FIFO may have taken the ring. */
  ringUnanswered(now: number): void;
  close(): void;
}

/** A ring that failed counts as unanswered, so the sweep rings again. */
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
    // While the data folder is missing, a feeder isn't known to be gone, so it is rung again.
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

/** False if nobody reads the FIFO: the feeder hasn't started yet (it reads everything first) or is gone, maybe since this moment. */
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
    if (errorCode(error) !== 'EAGAIN') throw error; // full: it has been rung often enough
  } finally {
    closeSync(fd);
  }
  return true;
}
