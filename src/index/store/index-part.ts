import type { PreparedTexts } from '../../domain/search/prepared.ts';
import type { Database } from '../../journal/sqlite-driver.ts';
import type { SessionHealth } from '../../protocol/api/health.ts';
import type { UsageList, UsageQuery } from '../../protocol/api/usage.ts';
import type { Event } from '../../protocol/event.ts';
import type { SessionId } from '../../protocol/ids.ts';
import type { HealthBrief } from '../../protocol/session.ts';
import type { IndexedSession, IndexedUsage } from './index-store.ts';

/**
 * One kind of knowledge about all sessions, in its own tables in library.db. All parts get the same events in the same transaction
 * that moves the cursors, so none is ever ahead of another.
 */
export interface IndexPart<Writer extends PartWriter = PartWriter, Reader = unknown> {
  readonly name: string;
  /** Raise it whenever `schema`, or what is written into it, changes: library.db is then rebuilt. */
  readonly version: number;
  /** Its tables. `sessions (number, id, agent, title, project, project_id, created_at)` already exists and can be joined. */
  readonly schema: string;
  write(db: Database): Writer;
  /** On a connection of another thread, which never writes. */
  read(db: Database): Reader;
}

/** Called inside a transaction. */
export interface PartWriter {
  /**
   * The next events of a session, in order; `spent` is the usage that a past session's record has in addition.
   * Long texts that are prepared are only in `texts`.
   */
  take(session: KnownSession, events: readonly Event[], spent: readonly IndexedUsage[], texts?: PreparedTexts): void;
  /** Its title, project or another fact changed. */
  describe?(session: KnownSession): void;
  forget(session: number): void;
  clear(): void;
  /** The transaction is about to end: pending rows are written. */
  ending?(): void;
  /** A transaction was committed or rolled back: anything remembered about its rows may be wrong. */
  ended?(): void;
  /** A short step that keeps its tables small; false if there is nothing left to do. */
  tidy?(): boolean;
}

/** A session with its number in library.db. Its facts can change later; rows that must follow them join `sessions`. */
export interface KnownSession extends IndexedSession {
  readonly number: number;
}

export interface HealthWriter extends PartWriter {
  /** Health of every session that changed since the last call. */
  changed(): ReadonlyMap<SessionId, HealthBrief>;
}

export interface HealthReader {
  health(session: SessionId): SessionHealth | undefined;
  briefs(sessions: readonly SessionId[]): ReadonlyMap<SessionId, HealthBrief>;
}

export interface UsageReader {
  /** Without what is hidden from the viewer. */
  usage(query: UsageQuery, hidden?: readonly SessionId[]): Omit<UsageList, 'whole'>;
}
