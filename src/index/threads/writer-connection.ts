import type { PastBatch, PastSession } from '../../archive/archive.ts';
import { prepareTexts, withoutTexts } from '../../domain/search/prepared.ts';
import type { SessionId } from '../../protocol/ids.ts';
import { WorkerLine } from '../list/worker-connection.ts';
import type { FilingNews, FilingQuestion, IndexingNews } from './messages.ts';
import type { LibrarySide, ReadUpTo } from './read-batch.ts';
import { Troubles } from './report-once.ts';
import type { ThreadData } from './threads.ts';

/** So much may wait to be taken in, in texts and in batches: the one who writes must not wait for the one who reads, nor be buried. */
const MOST_WAITING_BYTES = 4 * 1024 * 1024;
const MOST_WAITING_BATCHES = 64;

/** What is the other thread's from then on. */
interface Handed {
  readonly handed: readonly ArrayBuffer[];
  readonly byteLength: number;
}

const NOTHING_HANDED: Handed = { handed: [], byteLength: 0 };

export interface FilingOptions {
  readonly url: URL;
  readonly data: ThreadData;
  readonly post: (news: IndexingNews) => void;
  /** It has room again, or lacks less than before: whoever waited for that may go on. */
  readonly onTaken: () => void;
  /** It ended by itself: whoever reads records can do nothing without it. */
  readonly onFailed: (reason: Error) => void;
}

/** The library in a thread of its own: while it writes words, records are read on. */
export class FilingLine implements LibrarySide {
  readonly #line: WorkerLine<FilingQuestion, FilingNews>;
  readonly #options: FilingOptions;
  readonly #troubles: Troubles;
  /** What was told and is not taken in yet. */
  #waiting = 0;
  #waitingBatches = 0;
  #waitingBytes = 0;
  #behind = 0;
  /** As whoever reads records last heard it. */
  #toldBehind = 0;
  #isSettled = true;

  constructor(options: FilingOptions) {
    this.#options = options;
    this.#troubles = new Troubles(options.post);
    const { url, data, onFailed } = options;
    this.#line = new WorkerLine({ url, data, name: 'filing', onNews: (news) => this.#heard(news), onEnded: onFailed });
  }

  begin(sessions: readonly ReadUpTo[]): void {
    this.#tell({ ask: 'begin', sessions });
  }

  /** Texts are made ready in this thread, which has the time for it, and handed over as bytes. */
  read({ session, events, spent }: PastBatch): void {
    const texts = prepareTexts(events);
    const { byteLength } = texts.bytes;
    this.#isSettled = false;
    this.#waitingBatches += 1;
    this.#waitingBytes += byteLength;
    this.#tell({ ask: 'read', batch: { session, events: events.map(withoutTexts), spent, texts } }, { handed: [texts.bytes.buffer], byteLength });
  }

  listed(session: PastSession): void {
    this.#tell({ ask: 'listed', session });
  }

  removed(sessionId: SessionId): void {
    this.#tell({ ask: 'removed', sessionId });
  }

  takenUp(sessionId: SessionId, base: number): void {
    this.#tell({ ask: 'takenUp', sessionId, base });
  }

  held(sessions: readonly SessionId[]): void {
    this.#tell({ ask: 'held', sessions });
  }

  journalMoved(): void {
    this.#tell({ ask: 'journal' });
  }

  retry(): void {
    this.#tell({ ask: 'retry' });
  }

  settle(): void {
    if (!this.#isSettled) this.#tell({ ask: 'settle' });
    this.#isSettled = true;
  }

  async rebuild(): Promise<void> {
    this.#behind = await this.#line.ask<number>({ ask: 'rebuild' });
  }

  isFull(): boolean {
    return this.#waitingBytes >= MOST_WAITING_BYTES || this.#waitingBatches >= MOST_WAITING_BATCHES;
  }

  behind(): number {
    this.#toldBehind = this.#behindNow();
    return this.#toldBehind;
  }

  /** When everything that was told before has been taken in. */
  async caughtUp(): Promise<void> {
    await this.#line.ask({ ask: 'retry' });
  }

  async close(): Promise<void> {
    await this.#line.close({ ask: 'close' });
  }

  #tell(question: FilingQuestion, { handed, byteLength }: Handed = NOTHING_HANDED): void {
    // The journal moves with every event, and what it says is not counted as missing.
    if (question.ask !== 'journal') this.#waiting += 1;
    this.#line
      .ask<number>(question, handed)
      .then((behind) => {
        this.#behind = behind;
      })
      .catch((error: unknown) => this.#troubles.say('the library could not be told what was read', error))
      .finally(() => this.#taken(question, byteLength));
  }

  #taken({ ask }: FilingQuestion, byteLength: number): void {
    const wasFull = this.isFull();
    this.#waitingBytes -= byteLength;
    if (ask !== 'journal') this.#waiting -= 1;
    if (ask === 'read') this.#waitingBatches -= 1;
    this.#goOn(wasFull);
  }

  #heard(news: FilingNews): void {
    if (news.tell !== 'behind') return this.#options.post(news);
    this.#behind = news.behind;
    this.#goOn(false);
  }

  #goOn(wasFull: boolean): void {
    if (wasFull || this.#behindNow() !== this.#toldBehind) this.#options.onTaken();
  }

  #behindNow(): number {
    return this.#waiting > 0 || !this.#isSettled ? Math.max(1, this.#behind) : this.#behind;
  }
}
