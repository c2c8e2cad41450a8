import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import type { RunFiles } from './files.ts';
import { openReader, type Reader, type ReaderContext } from './follow.ts';
import type { Follower, RunEnd, RunSink } from './host.ts';
import type { HostLimits } from './limits.ts';
import type { Bells } from './ring.ts';
import { look, shellLives } from './state.ts';
import { readTail } from './tail.ts';
import type { Watch } from './watch.ts';

/** All followed runs, with the one timer they share. */
export interface Followers {
  follow(files: RunFiles, fromByte: number, sink: RunSink): Follower;
  readonly size: number;
  readonly isPolling: boolean;
  readonly isBusy: boolean;
  /** Plans a read of whatever has not been read, without waiting for a wake-up. */
  catchUp(): void;
  close(): void;
}

export interface FollowersOptions {
  readonly limits: HostLimits;
  readonly bells: Bells;
  readonly watch: Watch;
  onBytes(count: number): void;
  onSweep(): void;
  /** Makes sure that a run which has not begun never will. */
  claim(files: RunFiles): Promise<unknown>;
}

interface Followed {
  readonly reader: Reader;
  readonly openedAt: number;
  identityAt: number;
  goneAt?: number;
  isClaiming: boolean;
}

export function createFollowers(options: FollowersOptions): Followers {
  const { limits, bells } = options;
  const all = new Map<Reader, Followed>();
  let sweeping: NodeJS.Timeout | undefined;
  let polling: NodeJS.Timeout | undefined;
  let rewatchAt = 0;

  const context: ReaderContext = {
    watch: options.watch,
    batchMs: limits.batchMs,
    lineBytes: limits.lineBytes,
    buffer: Buffer.allocUnsafeSlow(Math.min(limits.readBytes, limits.lineBytes)),
    stirred: (reader, count) => {
      bells.stirred(reader.files.bell);
      options.onBytes(count);
    },
    looked: (reader) => {
      const followed = all.get(reader);
      if (followed) judge(followed, options);
    },
    deaf: () => {
      polling ??= setInterval(poll, limits.pollMs);
    },
    closed: (reader) => {
      all.delete(reader);
      if (all.size === 0) stop();
    },
  };
  const sweep = (): void => {
    const now = performance.now();
    for (const followed of all.values()) sweepOne(followed, now, options);
    bells.ringUnanswered(now);
    options.onSweep();
    if (now >= rewatchAt) rewatch(now);
  };
  /** Reads what could not be watched, until watches are to be had again. */
  const rewatch = (now: number): void => {
    rewatchAt = now + limits.rewatchMs;
    const unwatched = [...all.keys()].filter((reader) => !reader.hear());
    if (unwatched.length > 0) context.deaf();
    else polling = void clearInterval(polling);
  };
  const poll = (): void => {
    for (const reader of all.keys()) if (!reader.isHearing) reader.compareSize();
  };
  const stop = (): void => {
    sweeping = void clearInterval(sweeping);
    polling = void clearInterval(polling);
  };

  return {
    follow: (files, fromByte, sink) => {
      const reader = openReader(context, files, fromByte, sink);
      const now = performance.now();
      // Spread over the sweeps, so that hundreds of runs found at a start are not all looked at in one.
      all.set(reader, { reader, openedAt: now, identityAt: now + (limits.identityMs * ((all.size % 5) + 1)) / 5, isClaiming: false });
      sweeping ??= setInterval(sweep, limits.sweepMs);
      bells.ring(files.bell);
      setImmediate(context.looked, reader);
      return reader;
    },
    get size() {
      return all.size;
    },
    get isPolling() {
      return [...all.keys()].some((reader) => !reader.isHearing);
    },
    get isBusy() {
      return [...all.keys()].some((reader) => reader.isBusy);
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
  followed.identityAt = now + options.limits.identityMs;
  judge(followed, options);
}

/** Decides from the files whether the run is over. */
function judge(followed: Followed, options: FollowersOptions): void {
  const { reader } = followed;
  if (reader.isClosed) return;
  const state = look(reader.files);
  switch (state.phase) {
    case 'live':
      break;
    case 'ended':
      reader.finish(endOf(reader.files, state.code));
      break;
    case 'absent':
      reader.finish(endOf(reader.files));
      break;
    case 'starting':
      abandonWhenLate(followed, options);
      break;
    case 'died':
      giveUpWhenSilent(followed, options);
      break;
  }
}

/** The shell may be about to write the status. When it is gone too, nobody will, and the feeder must be told to end. */
function giveUpWhenSilent(followed: Followed, { limits, bells }: FollowersOptions): void {
  const { reader } = followed;
  const now = performance.now();
  followed.goneAt ??= now;
  if (shellLives(reader.files) && now - followed.goneAt < limits.exitMs) return;
  const state = look(reader.files);
  bells.end(reader.files.bell);
  reader.finish(state.phase === 'ended' ? endOf(reader.files, state.code) : endOf(reader.files));
}

function abandonWhenLate(followed: Followed, options: FollowersOptions): void {
  if (followed.isClaiming || performance.now() - followed.openedAt < options.limits.startMs) return;
  followed.isClaiming = true;
  void options.claim(followed.reader.files).finally(() => {
    followed.isClaiming = false;
    judge(followed, options);
  });
}

const STDERR_TAIL_BYTES = 4096;

/** A shell reports a signal as 128 and its number. */
function endOf(files: RunFiles, code?: number): RunEnd {
  const stderrTail = readTail(files.errors, STDERR_TAIL_BYTES);
  if (code === undefined) return { stderrTail };
  const signal = Object.entries(constants.signals).find(([, number]) => number === code - 128)?.[0];
  return signal === undefined ? { code, stderrTail } : { code, signal, stderrTail };
}
