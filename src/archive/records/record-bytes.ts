import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';

/** The bytes of a record that is a file of lines, wherever they lie: in the agent's own file, or in a copy that is kept of it. */
export interface RecordBytes {
  /** How many there were when it was opened. */
  readonly size: number;
  /** Bytes from `from` up to, but not with, `to`; fewer where the record ends. */
  read(from: number, to: number): Buffer;
  close(): void;
}

/** A file of ours in archive.db. One that replaced another at the same path has a number of its own. */
export interface NumberedFile {
  readonly key: number;
  readonly path: string;
}

/** Copies that stand in for records whose own file is gone, or was replaced by one that lacks some of their lines. */
export interface KeptCopies {
  /** The copy of this very file, as far as there is one. */
  open(file: NumberedFile): RecordBytes | undefined;
}

/** Opens the agent's own file to read, and never what a link in its place leads to. Throws what the file system says. */
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

/** One read may give less than was asked for. */
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
