import type { PreparedTexts } from '../../domain/search/prepared.ts';
import type { Database } from '../../journal/sqlite/sqlite-driver.ts';
import type { SessionHealth } from '../../protocol/api/health.ts';
import type { UsageList, UsageQuery } from '../../protocol/api/usage.ts';
import type { Event } from '../../protocol/event.ts';
import type { SessionId } from '../../protocol/ids.ts';
import type { HealthBrief } from '../../protocol/session.ts';
import type { LibrarySession, LibrarySpent } from './index-store.ts';

/**
 * One thing that library.db knows about all sessions, in tables of its own. All parts are fed the same events in the same transaction
 * in which the cursors move, so none is ever ahead of another.
 */
export interface LibraryPart<Writer extends PartWriter = PartWriter, Reader = unknown> {
  readonly name: string;
  /** Raised whenever `schema`, or what is written into it, changes: library.db is then begun anew. */
  readonly version: number;
  /** Its tables. `sessions (number, id, agent, title, project, project_id, created_at)` is there already, to be joined. */
  readonly schema: string;
  write(db: Database): Writer;
  /** On a connection of another thread, which never writes. */
  read(db: Database): Reader;
}

/** Called inside a transaction. */
export interface PartWriter {
  /**
   * The next events of a session, by their numbers; `spent` stands in a past session's record beside them. The events of one session come in order.
   * Of those whose texts are prepared, the long ones are only there.
   */
  take(session: KnownSession, events: readonly Event[], spent: readonly LibrarySpent[], texts?: PreparedTexts): void;
  /** Its title, project or another fact is another than before. */
  describe?(session: KnownSession): void;
  forget(session: number): void;
  clear(): void;
  /** The transaction ends: what was held back till now is written. */
  ending?(): void;
  /** A transaction has ended, done or undone: what was remembered of its rows may not be so. */
  ended?(): void;
  /** Short work that keeps its tables small; false when there is none left. */
  tidy?(): boolean;
}

/** A session under the number that tables of library.db name it by. Its facts may change later; rows that must follow them join `sessions`. */
export interface KnownSession extends LibrarySession {
  readonly number: number;
}

export interface HealthWriter extends PartWriter {
  /** Of every session that changed since this was last asked. */
  changed(): ReadonlyMap<SessionId, HealthBrief>;
}

export interface HealthReader {
  health(session: SessionId): SessionHealth | undefined;
  briefs(sessions: readonly SessionId[]): ReadonlyMap<SessionId, HealthBrief>;
}

export interface UsageReader {
  /** Without what is hidden from the one who asks. */
  usage(query: UsageQuery, hidden?: readonly SessionId[]): Omit<UsageList, 'whole'>;
}
