import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { errorCode } from './files.ts';

/** Enough to see why a program failed. */
const TAIL_BYTES = 4096;

/** The last bytes of a file as text, without a line that is cut at its start; empty if the file is missing. */
export function readTail(path: string, bytes = TAIL_BYTES): string {
  try {
    return readEnd(path, bytes);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return '';
    throw error;
  }
}

function readEnd(path: string, bytes: number): string {
  const fd = openSync(path, 'r');
  try {
    const from = Math.max(0, fstatSync(fd).size - bytes);
    const buffer = Buffer.alloc(bytes);
    const text = buffer.toString('utf8', 0, readSync(fd, buffer, 0, bytes, from));
    const newline = text.indexOf('\n');
    return from > 0 && newline >= 0 && newline + 1 < text.length ? text.slice(newline + 1) : text;
  } finally {
    closeSync(fd);
  }
}
