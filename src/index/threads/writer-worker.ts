import type { ArchiveReader, PastSession } from '../../archive/archive.ts';
import type { Journal } from '../../journal/journal.ts';
import type { SessionId } from '../../protocol/ids.ts';
import type { IndexWriter } from '../store/index-store.ts';
import { IndexFeed } from './feed-index.ts';
import type { SessionsOpenElsewhere } from './index-parts.ts';
import type { WriterNews } from './messages.ts';
import { IndexEmptied } from './open-index.ts';
import { ProblemReporter } from './problem-reporter.ts';
import type { ReadBatch, ReadUpTo, RecordSink } from './read-batch.ts';

/** Changes of health are sent at most this often. */
const NEWS_MS = 200;

export interface WriterWorkerParts {
  readonly reader: ArchiveReader;
  readonly writer: IndexWriter;
  readonly journal: Pick<Journal, 'since' | 'after'>;
  readonly openElsewhere: SessionsOpenElsewhere;
  readonly post: (news: WriterNews) => void;
  readonly now: () => number;
}

/** Writes what is read from records, and the journal, into the index. */
export class IndexWriterWorker implements RecordSink {
  readonly #parts: WriterWorkerParts;
  readonly #feed: IndexFeed;
  #reportedAt = 0;

  constructor(parts: WriterWorkerParts) {
    this.#parts = parts;
    this.#feed = new IndexFeed({ ...parts, reporter: new ProblemReporter(parts.post) });
  }

  begin(sessions: readonly ReadUpTo[]): void {
    this.#refeedingIfEmptied(() => this.#feed.begin(sessions));
  }

  read(batch: ReadBatch): void {
    this.#refeedingIfEmptied(() => this.#feed.read(batch));
  }

  listed(session: PastSession): void {
    this.#refeedingIfEmptied(() => this.#feed.listed(session));
  }

  removed(id: SessionId): void {
    this.#refeedingIfEmptied(() => this.#feed.removed(id));
  }

  adopted(id: SessionId, base: number): void {
    this.#feed.adopted(id, base);
  }

  openElsewhere(sessions: readonly SessionId[]): void {
    this.#parts.openElsewhere.set(sessions);
  }

  journalMoved(): void {
    this.#feed.journalMoved();
  }

  retry(): void {
    this.#refeedingIfEmptied(() => this.#parts.writer.checkFile());
    this.#feed.retry();
  }

  commit(): void {
    this.#refeedingIfEmptied(() => this.#feed.commit());
  }

  rebuild(): void {
    this.commit();
    this.#refeedingIfEmptied(() => this.#parts.writer.clear());
    this.#feedAll();
  }

  isFull(): boolean {
    return false;
  }

  behind(): number {
    return this.#feed.behind();
  }

  /** A few milliseconds of work; false if nothing is left to do. Nothing is tidied while a batch is open. */
  step(): boolean {
    const hasFed = this.#refeedingIfEmptied(() => this.#feed.step());
    this.#reportHealth(!hasFed);
    return hasFed || (!this.#feed.isUncommitted() && this.#refeedingIfEmptied(() => this.#parts.writer.tidy()));
  }

  close(): void {
    this.#parts.writer.close();
  }

  /** A damaged index was emptied: everything is fed to it again, and the work is repeated. */
  #refeedingIfEmptied<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof IndexEmptied)) throw error;
      this.#parts.post({ kind: 'problem', what: 'the search index is rebuilt', reason: error.message });
      this.#feedAll();
      return work();
    }
  }

  #feedAll(): void {
    this.#feed.restart([...this.#parts.reader.sessions()]);
  }

  #reportHealth(isIdle: boolean): void {
    const now = this.#parts.now();
    if (!isIdle && now - this.#reportedAt < NEWS_MS) return;
    this.#reportedAt = now;
    const briefs = [...this.#parts.writer.changedHealth()];
    if (briefs.length > 0) this.#parts.post({ kind: 'briefs', briefs });
  }
}
