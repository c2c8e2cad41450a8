import { writeSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

/** Lines go to a file descriptor whole and in order. */
export interface LinesOut {
  put(line: string): void;
  /** Something could not be written yet. */
  readonly isBehind: boolean;
  /** Resolves when everything is written, or never can be. */
  flushed(): Promise<void>;
}

/** How soon a full disk, or a reader that is behind, is tried again. */
const RETRY_MS = 200;

/** `failed` is called when nothing can be written any more, however long one waits. */
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

/** Claude Code itself drops what a full disk does not take. Here it waits: the rest of the line follows when there is room. */
async function writeWhole(fd: number, bytes: Buffer): Promise<void> {
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(fd, bytes, at);
    } catch (error) {
      if (!isPassing(error)) throw error;
      await pause(RETRY_MS);
    }
  }
}

const isPassing = (error: unknown): boolean => error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EAGAIN');
