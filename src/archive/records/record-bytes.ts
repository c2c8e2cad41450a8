import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';

/** The bytes of a file of lines: from the agent's own file, or from a kept copy. */
export interface RecordBytes {
  /** The size when it was opened. */
  readonly size: number;
  /** Bytes from `from` up to, but not including, `to`; fewer where the record ends. */
  read(from: number, to: number): Buffer;
  close(): void;
}

/** A file in archive.db. A file that replaced another at the same path has its own number. */
export interface NumberedFile {
  readonly key: number;
  readonly path: string;
}

/** Copies of records whose own file is gone, or was replaced by one that lacks some of their lines. */
export interface KeptCopies {
  /** The copy of exactly this file, if there is one. */
  open(file: NumberedFile): RecordBytes | undefined;
}

/** Opens the agent's own file for reading, and never follows a link. Throws file system errors. */
export function fileBytes(path: string): RecordBytes {
  const fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  const { size } = fstatSync(fd);
  let isOpen = true;
  return {
    size,
    read: (from, to) => readAt(fd, from, to),
    close() {
      if (isOpen) closeSync(fd);
      isOpen = false;
    },
  };
}

/** A single read can return less than requested. */
export function readAt(fd: number, from: number, to: number): Buffer {
  const buffer = Buffer.allocUnsafe(Math.max(0, to - from));
  let filled = 0;
  while (filled < buffer.length) {
    const bytes = readSync(fd, buffer, filled, buffer.length - filled, from + filled);
    if (bytes === 0) break;
    filled += bytes;
  }
  return buffer.subarray(0, filled);
}
