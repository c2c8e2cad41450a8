import type { PreparedTexts } from '../../domain/search/prepared.ts';
import type { SessionHealth } from '../../protocol/api/health.ts';
import type { Hit, SearchQuery } from '../../protocol/api/search.ts';
import type { UsageList, UsageQuery } from '../../protocol/api/usage.ts';
import type { Event, EventBodyOf } from '../../protocol/event.ts';
import type { AgentId, SessionId } from '../../protocol/ids.ts';
import type { HealthBrief } from '../../protocol/session.ts';

/**
 * Search, usage and health over all sessions, live and past: `library.db`. One thread writes it, others read it; it can be
 * deleted and rebuilt from the journal and the agents' records, and then gives the same answers.
 */
export interface IndexWriter {
  /** Everything in the journal up to here is indexed. */
  position(): number;
  /** The next events of the journal, in order; the cursor moves with them, in one transaction. */
  follow(entries: readonly { readonly position: number; readonly session: SessionId; readonly event: Event }[]): void;
  /** The event up to which a past session is indexed; 0 if nothing is. */
  pastCursor(session: SessionId): number;
  /** The next events of a past session, starting at its cursor. */
  put(session: IndexedSession, events: readonly Event[], spent: readonly IndexedUsage[], texts?: PreparedTexts): void;
  /** The facts of a session that hits and usage are filtered by. */
  describe(session: IndexedSession): void;
  forget(session: SessionId): void;
  /** Indexes a session again from scratch, in one transaction: its past, and what the journal has of it up to `position()`. */
  reindex(session: IndexedSession, past: Iterable<IndexedPast>, own: Iterable<readonly Event[]>): void;
  /** Every session with events from a record. */
  pastSessions(): readonly SessionId[];
  /** Health of every session that changed since the last call, for lists. */
  changedHealth(): ReadonlyMap<SessionId, HealthBrief>;
  /** From here on all writes are one transaction, until `commit()`: if one of them fails, all are rolled back. */
  beginBatch(): void;
  commit(): void;
  /** Starts over with `IndexEmptied` if somebody deleted or replaced the file. */
  checkFile(): void;
  /** A short step that keeps the index small; false if there is nothing left to do. */
  tidy(): boolean;
  clear(): void;
  close(): void;
}

export interface IndexedPast {
  readonly events: readonly Event[];
  readonly spent: readonly IndexedUsage[];
  /** The searchable texts of the events, if another thread prepared them: long texts are then only here. */
  readonly texts?: PreparedTexts | undefined;
}

export interface IndexedSession {
  readonly id: SessionId;
  readonly agent: AgentId;
  readonly title: string;
  readonly project: string;
  readonly projectId: string;
  readonly createdAt: string;
  /** The session it was forked from. */
  readonly parent?: SessionId;
}

export type IndexedUsage = Omit<EventBodyOf<'usage.reported'>, 'type'> & { readonly at: string; readonly seq: number };

export interface IndexReader {
  search(query: SearchQuery, sources: HitSources): FoundHits;
  usage(query: UsageQuery, hidden?: readonly SessionId[]): Omit<UsageList, 'whole'>;
  health(session: SessionId): SessionHealth | undefined;
  briefs(sessions: readonly SessionId[]): ReadonlyMap<SessionId, HealthBrief>;
  close(): void;
}

export interface FoundHits {
  readonly hits: readonly Hit[];
  readonly total: number;
  readonly more: boolean;
  readonly nextCursor?: string;
}

/** The index stores no text: the text of a hit is read from the journal or the record. */
export interface HitSources {
  event(session: SessionId, seq: number): Event | undefined;
  /** The full text of a blob, of which an event carries the start. */
  blob?(sha256: string): string | undefined;
  /** Sessions that the viewer is not allowed to see. */
  isHidden?(session: SessionId): boolean;
}
