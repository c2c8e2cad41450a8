import type { KeptState, RestoreAnswer } from '../protocol/api/archive.ts';
import type { AgentId, SessionId } from '../protocol/ids.ts';

/** What the indexer needs of whoever keeps copies of records. */
export interface Keeping {
  /** This record was seen. Cheap when its copy is up to date. */
  seen(source: SeenRecord): void;
  /** This conversation of a database was seen; its rows are copied as lines. */
  seenRows(source: SeenRows): void;
  /** All records were looked at just now. */
  swept(): void;
  /** Some milliseconds of copying; false when nothing is due. */
  step(): boolean;
  state(): KeptState;
  keep(on: boolean): void;
  /** Puts every file of the session back where it lay. Throws in words. */
  restore(session: SessionId): RestoreAnswer;
  close(): void;
}

/** A file of a record as it lies below its root. */
export interface SeenRecord {
  readonly agent: AgentId;
  readonly agentSessionId: string;
  readonly root: string;
  /** Relative to the root, with `/`. */
  readonly path: string;
  /** The number that archive.db gave this file; another one after it was replaced. */
  readonly number: number;
  readonly part?: string;
  /** A small file beside it without which it cannot be read, relative to the root. */
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
  /** Of the database, relative to the root. */
  readonly path: string;
  /** Grows with every row. */
  readonly lastRow: number;
  /** Rows above `after`, ascending, at most `limit`. */
  rows(after: number, limit: number): readonly { readonly row: number; readonly line: string }[];
}
