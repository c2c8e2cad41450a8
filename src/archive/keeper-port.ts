import type { KeptState, RestoreAnswer } from '../protocol/api/archive.ts';
import type { AgentId, SessionId } from '../protocol/ids.ts';

/** What the indexer needs of the keeper of record copies. */
export interface KeeperPort {
  /** This record was seen. Cheap if its copy is up to date. */
  seen(source: SeenRecord): void;
  /** A conversation in a database was seen; its rows are copied as lines. */
  seenRows(source: SeenRows): void;
  /** A sweep over all records is done. */
  swept(): void;
  /** Copies for a few milliseconds; false when nothing is due. */
  step(): boolean;
  state(): KeptState;
  keep(on: boolean): void;
  /** Restores every file of the session to where it was. Throws an error with a readable message. */
  restore(session: SessionId): RestoreAnswer;
  close(): void;
}

/** A file of a record, relative to its root. */
export interface SeenRecord {
  readonly agent: AgentId;
  readonly agentSessionId: string;
  readonly root: string;
  /** Relative to the root, with `/`. */
  readonly path: string;
  /** The number of this file in archive.db; a replaced file gets another one. */
  readonly number: number;
  readonly part?: string;
  /** A small file next to it that is needed to read it, relative to the root. */
  readonly companion?: string;
  readonly size: number;
  readonly mtimeMs: number;
  readonly ino: number;
}

/** A conversation in a database. */
export interface SeenRows {
  readonly agent: AgentId;
  readonly agentSessionId: string;
  readonly root: string;
  /** Path of the database, relative to the root. */
  readonly path: string;
  /** Increases with every row. */
  readonly lastRow: number;
  /** Rows above `after`, ascending, at most `limit`. */
  rows(after: number, limit: number): readonly { readonly row: number; readonly line: string }[];
}
