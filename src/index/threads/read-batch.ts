import type { PastBatch, PastSession } from '../../archive/archive.ts';
import type { PreparedTexts } from '../../domain/search/prepared.ts';
import type { SessionId } from '../../protocol/ids.ts';

/** What was read at once, with prepared texts if it comes from another thread. */
export interface ReadBatch extends PastBatch {
  readonly texts?: PreparedTexts;
}

/** Up to which event a past session had been read. */
export type ReadUpTo = Pick<PastSession, 'id' | 'lastSeq'>;

/** The index as the records thread feeds it: in the same thread, or through a connection. Calls are processed in order. */
export interface RecordSink {
  /** The archive is open: the index is compared with what was read before. From now on everything read is reported. */
  begin(sessions: readonly ReadUpTo[]): void;
  read(batch: ReadBatch): void;
  listed(session: PastSession): void;
  removed(id: SessionId): void;
  adopted(id: SessionId, base: number): void;
  /** Past sessions that other programs currently have open. */
  openElsewhere(sessions: readonly SessionId[]): void;
  journalMoved(): void;
  /** Sessions that failed are tried again. */
  retry(): void;
  /** Nothing more is coming for now: commit what was reported. */
  commit(): void;
  /** Deletes everything and indexes it again. */
  rebuild(): void | Promise<void>;
  /** Too much is waiting to be indexed: stop reading records for now. */
  isFull(): boolean;
  /** How many sessions are not fully indexed. */
  behind(): number;
  close(): void | Promise<void>;
}
