import type { Project, SessionQuery } from '../../protocol/http.ts';
import type { SessionId } from '../../protocol/ids.ts';
import type { HealthBrief, Session } from '../../protocol/session.ts';

/**
 * What people look at, folded into a database of its own by a worker, so that no list ever delays a live append.
 * It can be thrown away at any time: whoever feeds it offers all sessions again from `cursor()` on.
 */
export interface Views {
  /** The session as it is at a position of the journal. Called in the order of positions; only the latest of each session is written. */
  offer(session: Session, position: number): void;
  remove(id: SessionId, position: number): void;
  /** Past sessions as their records tell them. One that is ours is left as it is. */
  offerPast(sessions: readonly Session[], removed: readonly SessionId[]): Promise<void>;
  /** What lists show of the health of sessions. */
  brief(briefs: readonly (readonly [SessionId, HealthBrief])[]): Promise<void>;
  /** Newest first. With `atLeastPosition`, everything offered up to there is in the answer. Rejects with `BadCursor`. */
  list(query: SessionQuery, atLeastPosition?: number): Promise<SessionPage>;
  /** Folders that have sessions, newest use first. */
  projects(agent?: string, hidden?: readonly SessionId[]): Promise<readonly Project[]>;
  /** Tags in use, most used first. */
  tags(): Promise<readonly { readonly tag: string; readonly sessions: number }[]>;
  /** How many sessions each agent has. */
  counts(): Promise<Readonly<Record<string, number>>>;
  /** Everything up to this position of the journal is durably in the views. */
  cursor(): Promise<number>;
  /** Removes every session of ours (or every past one) that is not among these: what was forgotten while nobody told the views. */
  keepOnly(ids: readonly SessionId[], past?: boolean): Promise<void>;
  /** Empties the views and sets the cursor to 0. */
  rebuild(): Promise<void>;
  /** Resolves when everything offered so far is written. */
  drain(): Promise<void>;
  /** Writes what was offered, then ends the worker. May be called twice. */
  close(): Promise<void>;
}

export interface SessionPage {
  readonly sessions: readonly Session[];
  readonly nextCursor?: string;
}

/** The cursor of a page is not one that we gave. */
export class BadCursor extends Error {
  override readonly name = 'BadCursor';
  constructor() {
    super('This cursor is not one of ours: ask for the first page again, without a cursor');
  }
}

/** The worker ended, or could not do what it was asked. */
export class ViewsFailed extends Error {
  override readonly name = 'ViewsFailed';
}

/** The worker itself is gone, and with it every question that it had not answered. */
export class WorkerEnded extends ViewsFailed {}

/** What was asked for cannot be looked up; the message says what to write instead. */
export class BadQuery extends Error {
  override readonly name = 'BadQuery';
}
