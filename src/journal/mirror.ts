import { closeSync, existsSync, fstatSync, fsync, mkdirSync, openSync, readdirSync, readSync, rmSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { Event } from '../protocol/event.ts';
import type { RunId, SessionId } from '../protocol/ids.ts';
import { makeFolder } from './blobs.ts';
import type { StoredReceipt } from './journal.ts';

const fsyncOf = promisify(fsync);

export const MIRROR_FILE = 'people.ndjson';

/** How far a run was read when something happened: everything it printed before this byte came earlier. */
export interface Anchor {
  readonly run: RunId;
  readonly byte: number;
}

export interface Mirroring {
  /** Takes mirrored events. Writes at once, so that nothing is lost if this process dies. Whatever the disk refuses waits for the next `flush`. */
  append(session: SessionId, events: readonly Event[], receipt?: StoredReceipt, anchor?: Anchor): void;
  /** Resolves when everything appended so far is on the disk. */
  flush(): Promise<void>;
  forget(session: SessionId): void;
}

/**
 * A second copy of what people did and what no line of an agent can bring back, in a small file per session: `people.ndjson`, with one line
 * per event (`{"event":…}`, whole, with its anchor) and per receipt (`{"receipt":…}`). After a crash lines can repeat or be torn; readers take each once.
 */
export class Mirror implements Mirroring {
  readonly #folder: string;
  /** Lines that could not be written yet, in order. */
  #waiting: { readonly session: SessionId; readonly text: string }[] = [];
  /** Files and folders with something not yet synced. */
  #unsynced = new Set<string>();
  /** Files whose last byte is known to be a newline. */
  readonly #whole = new Set<SessionId>();

  constructor(sessionsFolder: string) {
    this.#folder = sessionsFolder;
    mkdirSync(sessionsFolder, { recursive: true, mode: 0o700 });
  }

  append(session: SessionId, events: readonly Event[], receipt?: StoredReceipt, anchor?: Anchor): void {
    const text = mirrored(events, receipt, anchor);
    if (text === '') return;
    this.#waiting.push({ session, text });
    try {
      this.#writeWaiting();
    } catch {
      // `flush` reports it, before anyone is told that the event is durable.
      return;
    }
  }

  async flush(): Promise<void> {
    this.#writeWaiting();
    const paths = this.#unsynced;
    this.#unsynced = new Set();
    const results = await Promise.allSettled([...paths].map(syncPath));
    const failed = results.find((result) => result.status === 'rejected');
    if (!failed) return;
    for (const path of paths) this.#unsynced.add(path);
    throw failed.reason;
  }

  forget(session: SessionId): void {
    this.#waiting = this.#waiting.filter((line) => line.session !== session);
    this.#whole.delete(session);
    const path = this.#path(session);
    this.#unsynced.delete(path);
    rmSync(path, { force: true });
  }

  #writeWaiting(): void {
    for (let next = this.#waiting[0]; next; next = this.#waiting[0]) {
      this.#write(next.session, next.text);
      this.#waiting.shift();
    }
  }

  #write(session: SessionId, text: string): void {
    const path = this.#path(session);
    if (!this.#whole.has(session)) this.#prepare(path);
    const fd = openSync(path, 'a+', 0o600);
    try {
      const torn = !this.#whole.delete(session) && endsTorn(fd);
      const bytes = Buffer.from(torn ? `\n${text}` : text);
      for (let at = 0; at < bytes.byteLength; ) at += writeSync(fd, bytes, at);
      this.#whole.add(session);
      this.#unsynced.add(path);
    } finally {
      closeSync(fd);
    }
  }

  /** The names of the file and its folder must be synced once as well. */
  #prepare(path: string): void {
    makeFolder(dirname(path));
    this.#unsynced.add(dirname(path)).add(this.#folder);
  }

  #path(session: SessionId): string {
    return join(this.#folder, session, MIRROR_FILE);
  }
}

/** The sessions that have a mirror file. */
export function mirroredSessions(sessionsFolder: string): readonly string[] {
  if (!existsSync(sessionsFolder)) return [];
  return readdirSync(sessionsFolder).filter((id) => existsSync(join(sessionsFolder, id, MIRROR_FILE)));
}

function mirrored(events: readonly Event[], receipt?: StoredReceipt, anchor?: Anchor): string {
  const lines = events.map((event) => `${JSON.stringify({ event, anchor })}\n`);
  return lines.join('') + (receipt ? `${JSON.stringify({ receipt })}\n` : '');
}

/** A kill in the middle of a write leaves half a line; the next line must not be appended to it. */
function endsTorn(fd: number): boolean {
  const { size } = fstatSync(fd);
  if (size === 0) return false;
  const last = Buffer.alloc(1);
  readSync(fd, last, 0, 1, size - 1);
  return last[0] !== 0x0a;
}

/** A missing file was forgotten in the meantime. Opening and closing don't wait for the disk, and the thread pool would cost more. */
async function syncPath(path: string): Promise<void> {
  const fd = openIfExists(path);
  if (fd === undefined) return;
  try {
    await fsyncOf(fd);
  } finally {
    closeSync(fd);
  }
}

function openIfExists(path: string): number | undefined {
  try {
    return openSync(path, 'r');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}
