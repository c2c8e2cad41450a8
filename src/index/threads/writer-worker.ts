import type { ArchiveReader, PastSession } from '../../archive/archive.ts';
import type { Journal } from '../../journal/journal.ts';
import type { SessionId } from '../../protocol/ids.ts';
import type { LibraryWriter } from '../store/index-store.ts';
import { LibraryEmptied } from '../store/open-index.ts';
import { LibraryFeed } from './feed-index.ts';
import type { HeldSessions } from './index-parts.ts';
import type { FilingNews } from './messages.ts';
import type { LibrarySide, ReadBatch, ReadUpTo } from './read-batch.ts';
import { Troubles } from './report-once.ts';

/** Whoever waits for news of health need not have it sooner. */
const NEWS_MS = 200;

export interface LibraryDeskParts {
  readonly reader: ArchiveReader;
  readonly writer: LibraryWriter;
  readonly journal: Pick<Journal, 'since' | 'after'>;
  readonly held: HeldSessions;
  readonly post: (news: FilingNews) => void;
  readonly now: () => number;
}

/** Puts what is read of records, and what the journal says, into the library. */
export class LibraryDesk implements LibrarySide {
  readonly #parts: LibraryDeskParts;
  readonly #feed: LibraryFeed;
  #toldAt = 0;

  constructor(parts: LibraryDeskParts) {
    this.#parts = parts;
    this.#feed = new LibraryFeed({ ...parts, troubles: new Troubles(parts.post) });
  }

  begin(sessions: readonly ReadUpTo[]): void {
    this.#unlessEmptied(() => this.#feed.begin(sessions));
  }

  read(batch: ReadBatch): void {
    this.#unlessEmptied(() => this.#feed.read(batch));
  }

  listed(session: PastSession): void {
    this.#unlessEmptied(() => this.#feed.listed(session));
  }

  removed(id: SessionId): void {
    this.#unlessEmptied(() => this.#feed.removed(id));
  }

  takenUp(id: SessionId, base: number): void {
    this.#feed.takenUp(id, base);
  }

  held(sessions: readonly SessionId[]): void {
    this.#parts.held.set(sessions);
  }

  journalMoved(): void {
    this.#feed.journalMoved();
  }

  retry(): void {
    this.#feed.retry();
  }

  settle(): void {
    this.#unlessEmptied(() => this.#feed.settle());
  }

  rebuild(): void {
    this.settle();
    this.#unlessEmptied(() => this.#parts.writer.clear());
    this.#feedAgain();
  }

  isFull(): boolean {
    return false;
  }

  behind(): number {
    return this.#feed.behind();
  }

  /** Some milliseconds of work; false when there is none left. While more of what is written together may come, nothing is tidied. */
  step(): boolean {
    const hasFed = this.#unlessEmptied(() => this.#feed.step());
    this.#tellHealth(!hasFed);
    return hasFed || (!this.#feed.isUnsettled() && this.#unlessEmptied(() => this.#parts.writer.tidy()));
  }

  close(): void {
    this.#parts.writer.close();
  }

  /** A library that was found damaged is empty: it is fed again, and what was wanted is done then. */
  #unlessEmptied<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof LibraryEmptied)) throw error;
      this.#parts.post({ tell: 'trouble', what: 'the library is made anew', reason: error.message });
      this.#feedAgain();
      return work();
    }
  }

  #feedAgain(): void {
    this.#feed.beginAnew([...this.#parts.reader.sessions()]);
  }

  #tellHealth(isIdle: boolean): void {
    const now = this.#parts.now();
    if (!isIdle && now - this.#toldAt < NEWS_MS) return;
    this.#toldAt = now;
    const briefs = [...this.#parts.writer.changedHealth()];
    if (briefs.length > 0) this.#parts.post({ tell: 'briefs', briefs });
  }
}
