import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import type { Problems } from '../problems/problems.ts';
import { EXIT_NAME, errorCode, OUTPUT_NAME, type RunFiles } from './files.ts';
import type { Follower, RunEnd, RunSink } from './host.ts';
import { createLineCutter } from './lines.ts';
import { createSchedule } from './tasks/schedule.ts';
import { createFolderWatch, type Watch } from './watch.ts';

/** What a reader needs from the host around it. */
export interface ReaderContext {
  readonly watch: Watch;
  readonly problems: Problems;
  readonly batchMs: number;
  readonly lineBytes: number;
  /** Shared by all readers: reading and delivering are synchronous. */
  readonly buffer: Buffer;
  onActivity(reader: Reader, bytes: number): void;
  /** The file `exit` may exist now. */
  checkEnd(reader: Reader): void;
  /** The system has no watches left. */
  onWatchFailed(): void;
  closed(reader: Reader): void;
}

/** Bytes that can't be read now are read by the next sweep, because the file is larger than what was read. */
export const READ = 'read what agents print';

/** One followed file. */
export interface Reader extends Follower {
  readonly files: RunFiles;
  readonly isClosed: boolean;
  /** False when the file must be polled because the system has no watches left. */
  readonly isWatching: boolean;
  /** True while a read is planned. */
  readonly isBusy: boolean;
  /** Someone is waiting for the next output. */
  expect(): void;
  /** Reads if the file is larger than what was read; makes up for a lost wake-up. */
  compareSize(): void;
  /** Tries to watch again. */
  watchAgain(): boolean;
  /** The process is gone: read to the end, then notify the sink. */
  finish(end: RunEnd): void;
}

// Every event costs a turn of the event loop, and a flood brings 150,000 a second. After this many batched reads in a row,
// the watch is closed and only the timer reads, until a read finds nothing.
const HOT_AFTER_READS = 8;

/** Watches first, then reads: the other way around would miss what is written in between. */
export function openReader(context: ReaderContext, files: RunFiles, fromByte: number, sink: RunSink): Reader {
  const fd = openIfExists(files.output);
  const cutter = createLineCutter(fromByte, context.lineBytes, sink);
  const schedule = createSchedule(
    context.batchMs,
    context.problems.guarded(READ, (isBatched: boolean) => readOnce(isBatched), files.folder),
  );
  const onName = (name: string): void => {
    if (name === OUTPUT_NAME) schedule.soon();
    else if (name === EXIT_NAME) context.checkEnd(reader);
  };
  const folderWatch = createFolderWatch(context.watch, files.folder, context.problems.guarded(READ, onName, files.folder));
  let readByte = fromByte;
  let batchedReads = 0;
  let isHot = false;
  let isClosed = false;
  let end: RunEnd | undefined;

  const readOnce = (isBatched: boolean): void => {
    const count = fd === undefined ? 0 : readSync(fd, context.buffer, 0, context.buffer.length, readByte);
    if (count === 0) {
      foundNothing();
      return;
    }
    readByte += count;
    context.onActivity(reader, count);
    cutter.push(context.buffer.subarray(0, count));
    if (!isClosed) planNext(count === context.buffer.length, isBatched);
  };
  /** A full buffer means there is more to read; other runs get their turn in between. */
  const planNext = (isFull: boolean, isBatched: boolean): void => {
    if (isFull || end) {
      schedule.next();
      return;
    }
    batchedReads = isBatched ? batchedReads + 1 : 0;
    isHot = batchedReads >= HOT_AFTER_READS && (isHot || folderWatch.isOpen);
    if (!isHot) return;
    folderWatch.close();
    schedule.later();
  };
  const foundNothing = (): void => {
    batchedReads = 0;
    if (end) reportEnd(end);
    else if (isHot) coolDown();
  };
  const coolDown = (): void => {
    isHot = false;
    if (!folderWatch.open()) context.onWatchFailed();
    schedule.next();
    context.checkEnd(reader);
  };
  const reportEnd = (how: RunEnd): void => {
    cutter.finish();
    reader.close();
    sink.ended(how);
  };

  const reader: Reader = {
    files,
    get atByte() {
      return cutter.atByte;
    },
    get isClosed() {
      return isClosed;
    },
    get isWatching() {
      return isHot || folderWatch.isOpen;
    },
    get isBusy() {
      return schedule.isPending;
    },
    expect: schedule.renew,
    compareSize: () => {
      if (fd !== undefined && !schedule.isPending && fstatSync(fd).size > readByte) schedule.now();
    },
    watchAgain: () => isHot || folderWatch.open(),
    finish: (how) => {
      end ??= how;
      schedule.next();
    },
    close: () => {
      if (isClosed) return;
      isClosed = true;
      schedule.cancel();
      folderWatch.close();
      if (fd !== undefined) closeSync(fd);
      context.problems.worked(READ, files.folder);
      context.closed(reader);
    },
  };
  if (!folderWatch.open()) context.onWatchFailed();
  schedule.next();
  return reader;
}

/** A run that never started has no file; its end is still reported. */
function openIfExists(path: string): number | undefined {
  try {
    return openSync(path, 'r');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}
