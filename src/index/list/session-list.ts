import type { Project, SessionQuery } from '../../protocol/http.ts';
import type { SessionId } from '../../protocol/ids.ts';
import type { HealthBrief, Session } from '../../protocol/session.ts';
import type { SessionSource } from './session-table.ts';

/**
 * The session list, kept by a worker in its own database, so that no query ever delays a live append.
 * It can be deleted at any time: the caller then offers all sessions again from `cursor()` on.
 */
export interface SessionList {
  /** The session at a position of the journal. Called in the order of positions; only the latest of each session is written. */
  offer(session: Session, position: number): void;
  remove(id: SessionId, position: number): void;
  /** Past sessions as their records describe them. A session of ours is left unchanged. */
  offerPast(sessions: readonly Session[], removed: readonly SessionId[]): Promise<void>;
  /** Sessions of other machines as they last shared them. A session of this machine is left unchanged. */
  offerRemote(sessions: readonly Session[], removed: readonly SessionId[]): Promise<void>;
  /** What lists show about the health of sessions. */
  brief(briefs: readonly (readonly [SessionId, HealthBrief])[]): Promise<void>;
  /** Newest first. With `atLeastPosition`, everything offered up to there is in the answer. Rejects with `BadCursor`. */
  list(query: SessionQuery, atLeastPosition?: number): Promise<SessionPage>;
  /** Folders that have sessions, newest use first. */
  projects(agent?: string, hidden?: readonly SessionId[]): Promise<readonly Project[]>;
  /** Tags in use, most used first. */
  tags(): Promise<readonly { readonly tag: string; readonly sessions: number }[]>;
  /** How many sessions each agent has. */
  counts(): Promise<Readonly<Record<string, number>>>;
  /** Everything up to this position of the journal is durably in the list. */
  cursor(): Promise<number>;
  /** Removes every session from one source (by default of ours) that is not among these: it was deleted while nobody updated the list. */
  keepOnly(ids: readonly SessionId[], from?: SessionSource): Promise<void>;
  /** Empties the list and sets the cursor to 0. */
  rebuild(): Promise<void>;
  /** Resolves when everything offered so far is written. */
  drain(): Promise<void>;
  /** Writes pending changes, then ends the worker. Can be called twice. */
  close(): Promise<void>;
}

export interface SessionPage {
  readonly sessions: readonly Session[];
  readonly nextCursor?: string;
}

/** The cursor is not one we issued. */
export class BadCursor extends Error {
  override readonly name = 'BadCursor';
  constructor() {
    super('This cursor is not valid. Ask for the first page again, without a cursor.');
  }
}

/** The worker ended, or could not do what it was asked. */
export class SessionListFailed extends Error {
  override readonly name = 'SessionListFailed';
}

/** The worker itself is gone, and with it every unanswered question. */
export class WorkerEnded extends SessionListFailed {}

/** The query can't be answered; the message says what to write instead. */
export class BadQuery extends Error {
  override readonly name = 'BadQuery';
}
