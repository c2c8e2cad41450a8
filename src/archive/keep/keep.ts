import type { RestoreAnswer } from '../../protocol/api/archive.ts';
import type { AgentId, SessionId } from '../../protocol/ids.ts';
import type { Keeping } from '../keeper-port.ts';
import type { KeptCopies, NumberedFile, RecordBytes } from '../records/record-bytes.ts';

/**
 * Copies of records, made before their CLI deletes them. One thread writes them (`Keeper`), in short steps; anybody may read (`KeptReader`).
 * They lie in `<data>/kept`: `kept.db` says which bytes of which file are in which segment; segments are files named by their content.
 */
export interface Keeper extends Keeping {
  /** Puts the newest copy of every file of the session back, or those with the given numbers: what a replaced file was before. */
  restore(session: SessionId, numbers?: readonly number[]): RestoreAnswer;
  /** Deletes the copies of a session, and makes no new ones of it. */
  forget(session: SessionId): void;
  /** The copy of a file, as `KeptReader` gives it. */
  open(file: NumberedFile): KeptCopy | undefined;
}

export interface KeeperOptions {
  readonly dataDir: string;
  /** The folders in which an agent has its records today: the only ones that are ever written to. */
  roots(agent: AgentId): readonly string[];
  /** False while the disk's reserve is needed: nothing is copied then. */
  mayWrite(): boolean;
  /** Milliseconds since 1970. */
  now(): number;
}

/** A row of a conversation in a database. It is never put back: nobody but its agent writes to a database. */
export interface KeptRow {
  readonly row: number;
  readonly line: string;
}

/** Reads copies; may be opened by another thread than the one that writes them, also before there is any. */
export interface KeptReader extends KeptCopies {
  open(file: NumberedFile): KeptCopy | undefined;
  /** Rows of a conversation of a database above `after`, ascending, at most `limit`. */
  rows(path: string, agentSessionId: string, after: number, limit: number): readonly KeptRow[];
  close(): void;
}

export interface KeptCopy extends RecordBytes {
  /** What is damaged is newlines in its place, so that every other byte stays where it was. */
  read(from: number, to: number): Buffer;
  /** Looks at every byte: what cannot be read any more. */
  damage(): readonly Damage[];
}

export interface Damage {
  readonly path: string;
  readonly fromByte: number;
  readonly bytes: number;
}

/** A copy was not put back; the message says why, and what a person can do. */
export class NotRestored extends Error {
  override readonly name = 'NotRestored';
}
