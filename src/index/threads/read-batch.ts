import type { PastBatch, PastSession } from '../../archive/archive.ts';
import type { PreparedTexts } from '../../domain/search/prepared.ts';
import type { SessionId } from '../../protocol/ids.ts';

/** What was read in one go, with its texts made ready when it comes from another thread. */
export interface ReadBatch extends PastBatch {
  readonly texts?: PreparedTexts;
}

/** Up to which event a past session had been read. */
export type ReadUpTo = Pick<PastSession, 'id' | 'lastSeq'>;

/** The library as whoever reads records feeds it: in the same thread, or in one of its own. What is told is taken in the order of telling. */
export interface LibrarySide {
  /** The archive is open: the library is compared with what was read of it before. What is read from now on is told. */
  begin(sessions: readonly ReadUpTo[]): void;
  read(batch: ReadBatch): void;
  listed(session: PastSession): void;
  removed(id: SessionId): void;
  takenUp(id: SessionId, base: number): void;
  /** Past sessions that other programs hold now. */
  held(sessions: readonly SessionId[]): void;
  journalMoved(): void;
  /** What failed is tried again. */
  retry(): void;
  /** Nothing more comes for now: what was told is made durable. */
  settle(): void;
  /** Everything is forgotten and fed again. */
  rebuild(): void | Promise<void>;
  /** So much waits to be taken in that whoever reads records should wait. */
  isFull(): boolean;
  /** Of how many sessions something is missing. */
  behind(): number;
  close(): void | Promise<void>;
}
