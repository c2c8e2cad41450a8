import type { PastBatch, PastSession } from '../../archive/archive.ts';
import { prepareTexts, withoutTexts } from '../../domain/search/prepared.ts';
import type { SessionId } from '../../protocol/ids.ts';
import { WorkerConnection } from '../list/worker-connection.ts';
import type { RecordsNews, WriterNews, WriterQuestion } from './messages.ts';
import { ProblemReporter } from './problem-reporter.ts';
import type { ReadUpTo, RecordSink } from './read-batch.ts';
import type { ThreadData } from './threads.ts';

/** How much can wait to be indexed, in bytes of text and in batches: enough to keep the writer busy, but not to flood it. */
const MOST_WAITING_BYTES = 4 * 1024 * 1024;
const MOST_WAITING_BATCHES = 64;

/** Buffers transferred to the other thread. */
interface Transfer {
  readonly transferred: readonly ArrayBuffer[];
  readonly byteLength: number;
}

const NO_TRANSFER: Transfer = { transferred: [], byteLength: 0 };

export interface WriterConnectionOptions {
  readonly url: URL;
  readonly data: ThreadData;
  readonly post: (news: RecordsNews) => void;
  /** It has room again, or is less far behind: reading can continue. */
  readonly onTaken: () => void;
  /** It ended unexpectedly: the records thread can't work without it. */
  readonly onFailed: (reason: Error) => void;
}

/** The index in its own thread: while it writes, reading records continues. */
export class WriterConnection implements RecordSink {
  readonly #connection: WorkerConnection<WriterQuestion, WriterNews>;
  readonly #options: WriterConnectionOptions;
  readonly #reporter: ProblemReporter;
  /** Messages sent and not yet answered. */
  #waiting = 0;
  #waitingBatches = 0;
  #waitingBytes = 0;
  #behind = 0;
  /** The value last returned to the records thread. */
  #reportedBehind = 0;
  #isCommitted = true;

  constructor(options: WriterConnectionOptions) {
    this.#options = options;
    this.#reporter = new ProblemReporter(options.post);
    const { url, data, onFailed } = options;
    this.#connection = new WorkerConnection({ url, data, name: 'writer', onNews: (news) => this.#received(news), onEnded: onFailed });
  }

  begin(sessions: readonly ReadUpTo[]): void {
    this.#send({ ask: 'begin', sessions });
  }

  /** Texts are prepared in this thread, which has the time for it, and transferred as bytes. */
  read({ session, events, spent }: PastBatch): void {
    const texts = prepareTexts(events);
    const { byteLength } = texts.bytes;
    this.#isCommitted = false;
    this.#waitingBatches += 1;
    this.#waitingBytes += byteLength;
    this.#send({ ask: 'read', batch: { session, events: events.map(withoutTexts), spent, texts } }, { transferred: [texts.bytes.buffer], byteLength });
  }

  listed(session: PastSession): void {
    this.#send({ ask: 'listed', session });
  }

  removed(sessionId: SessionId): void {
    this.#send({ ask: 'removed', sessionId });
  }

  adopted(sessionId: SessionId, base: number): void {
    this.#send({ ask: 'adopted', sessionId, base });
  }

  openElsewhere(sessions: readonly SessionId[]): void {
    this.#send({ ask: 'openElsewhere', sessions });
  }

  journalMoved(): void {
    this.#send({ ask: 'journal' });
  }

  retry(): void {
    this.#send({ ask: 'retry' });
  }

  commit(): void {
    if (!this.#isCommitted) this.#send({ ask: 'commit' });
    this.#isCommitted = true;
  }

  async rebuild(): Promise<void> {
    this.#behind = await this.#connection.ask<number>({ ask: 'rebuild' });
  }

  isFull(): boolean {
    return this.#waitingBytes >= MOST_WAITING_BYTES || this.#waitingBatches >= MOST_WAITING_BATCHES;
  }

  behind(): number {
    this.#reportedBehind = this.#behindNow();
    return this.#reportedBehind;
  }

  /** Resolves when every earlier message has been processed. */
  async caughtUp(): Promise<void> {
    await this.#connection.ask({ ask: 'retry' });
  }

  async close(): Promise<void> {
    await this.#connection.close({ ask: 'close' });
  }

  #send(question: WriterQuestion, { transferred, byteLength }: Transfer = NO_TRANSFER): void {
    // The journal grows with every event; following it doesn't count as being behind.
    if (question.ask !== 'journal') this.#waiting += 1;
    this.#connection
      .ask<number>(question, transferred)
      .then((behind) => {
        this.#behind = behind;
      })
      .catch((error: unknown) => this.#reporter.report('the writer thread did not take what was read', error))
      .finally(() => this.#answered(question, byteLength));
  }

  #answered({ ask }: WriterQuestion, byteLength: number): void {
    const wasFull = this.isFull();
    this.#waitingBytes -= byteLength;
    if (ask !== 'journal') this.#waiting -= 1;
    if (ask === 'read') this.#waitingBatches -= 1;
    this.#wake(wasFull);
  }

  #received(news: WriterNews): void {
    if (news.kind !== 'behind') return this.#options.post(news);
    this.#behind = news.behind;
    this.#wake(false);
  }

  #wake(wasFull: boolean): void {
    if (wasFull || this.#behindNow() !== this.#reportedBehind) this.#options.onTaken();
  }

  #behindNow(): number {
    return this.#waiting > 0 || !this.#isCommitted ? Math.max(1, this.#behind) : this.#behind;
  }
}
