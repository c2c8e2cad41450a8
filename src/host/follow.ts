import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { EXIT_NAME, errorCode, OUTPUT_NAME, type RunFiles } from './files.ts';
import type { Follower, RunEnd, RunSink } from './host.ts';
import { createLineCutter, type LineCutter } from './lines.ts';
import type { Watch } from './watch.ts';

/** What a reader needs from the host around it. */
export interface ReaderContext {
  readonly watch: Watch;
  readonly batchMs: number;
  readonly lineBytes: number;
  /** Shared by all readers: reading and handing over are synchronous. */
  readonly buffer: Buffer;
  /** Bytes were read. */
  stirred(reader: Reader, bytes: number): void;
  /** `exit` may be there. */
  looked(reader: Reader): void;
  closed(reader: Reader): void;
}

/** One followed file. Mutable: it is the state of the functions below. */
export interface Reader extends Follower {
  readonly files: RunFiles;
  readonly isWatched: boolean;
  readonly isClosed: boolean;
  /** Reads now if the last read is old enough, else once a little later, together with what comes until then. */
  stir(): void;
  /** Reads if the file is larger than what was read: for a lost wake-up. */
  compareSize(): void;
  /** Tries to watch; false when the system has no watches left. */
  tryWatch(): boolean;
  /** The process is gone: read to the end, then tell the sink. */
  finish(end: RunEnd): void;
  /** True while bytes are waiting to be read. */
  readonly isBusy: boolean;
}

export function openReader(context: ReaderContext, files: RunFiles, fromByte: number, sink: RunSink): Reader {
  const fd = openIfThere(files.output);
  const cutter = createLineCutter(fromByte, context.lineBytes, sink);
  const schedule = createSchedule(context.batchMs, () => readOnce());
  let readByte = fromByte;
  let watcher: { close(): void } | undefined;
  let isClosed = false;
  let end: RunEnd | undefined;

  const readOnce = (): void => {
    const count = fd === undefined ? 0 : readSync(fd, context.buffer, 0, context.buffer.length, readByte);
    if (count === 0) {
      settle();
      return;
    }
    readByte += count;
    context.stirred(reader, count);
    cutter.push(context.buffer.subarray(0, count));
    if (isClosed) return;
    // A full buffer means more is waiting; others get their turn in between.
    if (count === context.buffer.length || end) schedule.next();
  };
  const settle = (): void => {
    if (!end) return;
    const final = end;
    tellEnd(cutter, sink, final, () => reader.close());
  };
  const onName = (name: string): void => {
    if (isClosed) return;
    if (name === OUTPUT_NAME) schedule.soon();
    else if (name === EXIT_NAME) context.looked(reader);
  };

  const reader: Reader = {
    files,
    get atByte() {
      return cutter.atByte;
    },
    get isWatched() {
      return watcher !== undefined;
    },
    get isClosed() {
      return isClosed;
    },
    get isBusy() {
      return schedule.isPending;
    },
    stir: () => schedule.soon(),
    compareSize: () => {
      if (fd !== undefined && !schedule.isPending && fstatSync(fd).size > readByte) schedule.now();
    },
    tryWatch: () => {
      watcher ??= watchOrNot(context.watch, files.folder, onName, () => {
        watcher = undefined;
      });
      return watcher !== undefined;
    },
    finish: (how) => {
      end ??= how;
      schedule.next();
    },
    close: () => {
      if (isClosed) return;
      isClosed = true;
      schedule.cancel();
      watcher?.close();
      if (fd !== undefined) closeSync(fd);
      context.closed(reader);
    },
  };
  schedule.next();
  return reader;
}

function tellEnd(cutter: LineCutter, sink: RunSink, end: RunEnd, close: () => void): void {
  cutter.finish();
  close();
  sink.ended(end);
}

interface Schedule {
  readonly isPending: boolean;
  now(): void;
  /** After everybody else had a turn. */
  next(): void;
  soon(): void;
  cancel(): void;
}

/** At most one read is planned at a time. */
function createSchedule(batchMs: number, read: () => void): Schedule {
  let timer: NodeJS.Timeout | undefined;
  let turn: NodeJS.Immediate | undefined;
  let lastAt = Number.NEGATIVE_INFINITY;

  const cancel = (): void => {
    clearTimeout(timer);
    clearImmediate(turn);
    timer = undefined;
    turn = undefined;
  };
  const run = (): void => {
    cancel();
    lastAt = performance.now();
    read();
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
      else timer = setTimeout(run, waitMs);
    },
    cancel,
  };
}

function watchOrNot(watch: Watch, folder: string, onName: (name: string) => void, onBroken: () => void): { close(): void } | undefined {
  try {
    return watch(folder, onName, onBroken);
  } catch {
    return undefined; // EMFILE or ENOSPC: no watches left. ENOENT: no such run; the caller finds that by the files
  }
}

/** A run that never began has no file; its end is told all the same. */
function openIfThere(path: string): number | undefined {
  try {
    return openSync(path, 'r');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}
