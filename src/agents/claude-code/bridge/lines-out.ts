import { writeSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

/** Writes complete lines to a file descriptor, in order. */
export interface LinesOut {
  put(line: string): void;
  /** Some output is still waiting to be written. */
  readonly isBehind: boolean;
  /** Resolves when everything is written, or can never be. */
  flushed(): Promise<void>;
}

/** How long to wait before retrying when the disk is full or the reader is behind. */
const RETRY_MS = 200;

/** `failed` is called when writing can never succeed. */
export function createLinesOut(fd: number, failed: (error: unknown) => void): LinesOut {
  let pending = 0;
  let last: Promise<void> = Promise.resolve();
  const write = async (bytes: Buffer): Promise<void> => {
    await writeWhole(fd, bytes).catch(failed);
    pending -= 1;
  };
  return {
    put: (line) => {
      const bytes = Buffer.from(`${line}\n`);
      pending += 1;
      last = last.then(() => write(bytes));
    },
    get isBehind() {
      return pending > 0;
    },
    flushed: () => last,
  };
}

/** Claude Code itself drops what doesn't fit on a full disk. We wait, and write the rest of the line when there is space. */
async function writeWhole(fd: number, bytes: Buffer): Promise<void> {
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(fd, bytes, at);
    } catch (error) {
      if (!isTemporary(error)) throw error;
      await pause(RETRY_MS);
    }
  }
}

const isTemporary = (error: unknown): boolean => error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EAGAIN');
