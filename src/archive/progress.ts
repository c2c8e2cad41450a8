import type { IndexProgress } from '../protocol/api/archive.ts';
import type { DueSessions } from './due-sessions.ts';
import { existingFiles, type KnownSession } from './known-records.ts';

/** Bytes needed before a rate is shown. */
const MEASURED_BYTES = 1024 * 1024;

const COUNTED_MS = 250;

type Counted = Pick<IndexProgress, 'sessions' | 'bytes' | 'secondsLeft'>;

/** How far reading has come, and how fast it is. */
export class Progress {
  isUnswept = true;
  private counted: { readonly at: number; readonly is: Counted } | undefined;
  private since: { readonly at: number; readonly left: number } | undefined;

  constructor(private readonly now: () => number) {}

  swept(): void {
    this.isUnswept = false;
  }

  /** Nothing is due: the next measurement starts fresh. */
  rest(): void {
    this.since = undefined;
  }

  /** Recounted only after a while, because it is called after each step. */
  of(sessions: Iterable<KnownSession>, due: DueSessions): Counted {
    if (this.counted === undefined || this.now() - this.counted.at > COUNTED_MS || due.size === 0)
      this.counted = { at: this.now(), is: this.count(sessions, due) };
    return this.counted.is;
  }

  private count(sessions: Iterable<KnownSession>, due: DueSessions): Counted {
    const counted = { total: 0, all: 0, done: 0 };
    for (const session of sessions) count(counted, session);
    const left = counted.all - counted.done;
    const secondsLeft = this.secondsLeft(left);
    return {
      sessions: { done: Math.max(0, counted.total - due.size), total: counted.total },
      bytes: { done: counted.done, total: counted.all },
      ...(secondsLeft !== undefined && due.size > 0 && { secondsLeft }),
    };
  }

  private secondsLeft(left: number): number | undefined {
    if (this.since === undefined || left > this.since.left) this.since = { at: this.now(), left };
    const read = this.since.left - left;
    const seconds = (this.now() - this.since.at) / 1000;
    return read < MEASURED_BYTES || seconds <= 0 ? undefined : Math.ceil(left / (read / seconds));
  }
}

/** Database rows are not counted in bytes, and adopted sessions are not read. */
function count(counted: { total: number; all: number; done: number }, session: KnownSession): void {
  const files = existingFiles(session);
  if (files.length === 0 || session.base !== undefined) return;
  counted.total += 1;
  for (const { row, isDue } of files) {
    if (row.isDatabase) continue;
    counted.all += row.size;
    counted.done += isDue ? Math.min(row.offset, row.size) : row.size;
  }
}
