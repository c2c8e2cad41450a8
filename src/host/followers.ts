import { existsSync } from 'node:fs';
import { forEach, type Problems } from '../problems/problems.ts';
import { type CheckOptions, checkEnded, type Followed } from './check-ended.ts';
import type { RunFiles } from './files.ts';
import { openReader, READ, type Reader, type ReaderContext } from './follow.ts';
import type { Follower, RunSink } from './host.ts';
import type { Watch } from './watch.ts';

/** All followed runs, with the one timer they share. */
export interface Followers {
  follow(files: RunFiles, fromByte: number, sink: RunSink): Follower;
  readonly size: number;
  readonly isPolling: boolean;
  readonly isBusy: boolean;
  /** Someone is waiting for this run's next output. */
  expect(files: RunFiles): void;
  /** Schedules a read of everything unread, without waiting for a wake-up. */
  catchUp(): void;
  close(): void;
}

export interface FollowersOptions extends CheckOptions {
  readonly watch: Watch;
  readonly problems: Problems;
  onBytes(count: number): void;
  onSweep(): void;
}

const LOOK = 'check on running agents';

export function createFollowers(options: FollowersOptions): Followers {
  const { limits, bells, problems } = options;
  const all = new Map<Reader, Followed>();
  let sweeping: NodeJS.Timeout | undefined;
  let polling: NodeJS.Timeout | undefined;
  let rewatchAt = 0;

  const context: ReaderContext = {
    watch: options.watch,
    problems,
    batchMs: limits.batchMs,
    lineBytes: limits.lineBytes,
    buffer: Buffer.allocUnsafeSlow(Math.min(limits.readBytes, limits.lineBytes)),
    onActivity: (reader, count) => {
      bells.onActivity(reader.files.bell);
      options.onBytes(count);
    },
    checkEnd: (reader) => {
      const followed = all.get(reader);
      if (followed) checkEnded(followed, options);
    },
    onWatchFailed: () => {
      polling ??= problems.every(READ, limits.pollMs, poll);
    },
    closed: (reader) => {
      all.delete(reader);
      if (all.size === 0) stop();
    },
  };
  const sweep = (): void => {
    const now = performance.now();
    forEach(
      [
        () => forEach(all.values(), (followed) => sweepOne(followed, now, options)),
        () => bells.ringUnanswered(now),
        options.onSweep,
        () => now >= rewatchAt && rewatch(now),
      ],
      (step) => step(),
    );
  };
  /** Polls what could not be watched, until watches are available again. */
  const rewatch = (now: number): void => {
    rewatchAt = now + limits.rewatchMs;
    const unwatched = [...all.keys()].filter((reader) => !reader.watchAgain());
    if (unwatched.length > 0) context.onWatchFailed();
    else polling = void clearInterval(polling);
  };
  const poll = (): void => {
    forEach(all.keys(), (reader) => !reader.isWatching && reader.compareSize());
  };
  const stop = (): void => {
    sweeping = void clearInterval(sweeping);
    polling = void clearInterval(polling);
  };

  return {
    follow: (files, fromByte, sink) => {
      const reader = openReader(context, files, fromByte, sink);
      const now = performance.now();
      // Spread over several sweeps, so that hundreds of runs found at startup are not all checked in one.
      all.set(reader, { reader, openedAt: now, identityAt: now + (limits.identityMs * ((all.size % 5) + 1)) / 5, isClaiming: false });
      sweeping ??= problems.every(LOOK, limits.sweepMs, sweep);
      bells.ring(files.bell);
      problems.soon(LOOK, () => context.checkEnd(reader));
      return reader;
    },
    get size() {
      return all.size;
    },
    get isPolling() {
      return [...all.keys()].some((reader) => !reader.isWatching);
    },
    get isBusy() {
      return [...all.keys()].some((reader) => reader.isBusy);
    },
    expect: ({ folder }) => {
      for (const reader of all.keys()) if (reader.files.folder === folder) reader.expect();
    },
    catchUp: () => {
      for (const reader of [...all.keys()]) reader.compareSize();
    },
    close: () => {
      for (const reader of [...all.keys()]) reader.close();
      stop();
    },
  };
}

function sweepOne(followed: Followed, now: number, options: FollowersOptions): void {
  const { reader } = followed;
  reader.compareSize();
  if (reader.isClosed) return;
  const isDue = now >= followed.identityAt || followed.goneAt !== undefined;
  if (!isDue && !existsSync(reader.files.exit)) return;
  checkEnded(followed, options);
  // What couldn't be decided now is decided by the next sweep.
  followed.identityAt = now + options.limits.identityMs;
}
