import type { PreparedTexts } from '../../domain/search/prepared.ts';
import type { SessionHealth } from '../../protocol/api/health.ts';
import type { Hit, SearchQuery } from '../../protocol/api/search.ts';
import type { UsageList, UsageQuery } from '../../protocol/api/usage.ts';
import type { Event, EventBodyOf } from '../../protocol/event.ts';
import type { AgentId, SessionId } from '../../protocol/ids.ts';
import type { HealthBrief } from '../../protocol/session.ts';

/**
 * What can be found, counted and judged over all sessions, live and past: `library.db`. One thread writes it, others read it; it can be
 * dropped and folded again from the journal and the agents' records, and then answers the same.
 */
export interface LibraryWriter {
  /** Everything of the journal up to here is in it. */
  position(): number;
  /** The next events of the journal, in order; the cursor moves with them, in one transaction. */
  follow(entries: readonly { readonly position: number; readonly session: SessionId; readonly event: Event }[]): void;
  /** How much of a past session is in it: 0 when nothing is. */
  pastCursor(session: SessionId): number;
  /** The next events of a past session, from its cursor on. */
  put(session: LibrarySession, events: readonly Event[], spent: readonly LibrarySpent[], texts?: PreparedTexts): void;
  /** The facts of a session by which hits and usage are filtered. */
  describe(session: LibrarySession): void;
  forget(session: SessionId): void;
  /** Forgets a session and takes it in again, wholly, in one transaction: its past, and what the journal says of it up to `position()`. */
  remake(session: LibrarySession, past: Iterable<PastOfLibrary>, own: Iterable<readonly Event[]>): void;
  /** Every session of which something came from a record. */
  pastSessions(): readonly SessionId[];
  /** Health of every session that changed since this was last asked, for lists. */
  changedHealth(): ReadonlyMap<SessionId, HealthBrief>;
  /** From here on all that is written is one transaction, until it is settled: when a write of it fails, all of it is undone. */
  together(): void;
  settle(): void;
  /** Short work that keeps the index small; false when there is none left. */
  tidy(): boolean;
  clear(): void;
  close(): void;
}

export interface PastOfLibrary {
  readonly events: readonly Event[];
  readonly spent: readonly LibrarySpent[];
  /** What of the events is searched, when whoever read them has made it ready: their long texts are then only here. */
  readonly texts?: PreparedTexts | undefined;
}

export interface LibrarySession {
  readonly id: SessionId;
  readonly agent: AgentId;
  readonly title: string;
  readonly project: string;
  readonly projectId: string;
  readonly createdAt: string;
  /** The session whose beginning it repeats. */
  readonly parent?: SessionId;
}

export type LibrarySpent = Omit<EventBodyOf<'usage.reported'>, 'type'> & { readonly at: string; readonly seq: number };

export interface LibraryReader {
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

/** The index holds no text: what a hit says is read where it stands. */
export interface HitSources {
  event(session: SessionId, seq: number): Event | undefined;
  /** The text of a blob, of which an event carries the head. */
  blob?(sha256: string): string | undefined;
  /** Sessions that the one who asks may not see. */
  isHidden?(session: SessionId): boolean;
}
