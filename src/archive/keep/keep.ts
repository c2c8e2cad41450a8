import type { RestoreAnswer } from '../../protocol/api/archive.ts';
import type { AgentId, SessionId } from '../../protocol/ids.ts';
import type { KeeperPort } from '../keeper-port.ts';
import type { KeptCopies, NumberedFile, RecordBytes } from '../records/record-bytes.ts';

/**
 * Copies of records, made before their CLI deletes them. One thread writes them (`Keeper`), in short steps; any thread can read them
 * (`KeptReader`). They are in `<data>/kept`: `kept.db` says which bytes of which file are in which segment; segments are files named by hash.
 */
export interface Keeper extends KeeperPort {
  /** Restores the newest copy of every file of the session, or those with the given numbers: earlier versions of a replaced file. */
  restore(session: SessionId, numbers?: readonly number[]): RestoreAnswer;
  /** Deletes the copies of a session, and makes no new ones. */
  forget(session: SessionId): void;
  /** The copy of a file, as in `KeptReader`. */
  open(file: NumberedFile): KeptCopy | undefined;
}

export interface KeeperOptions {
  readonly dataDir: string;
  /** The folders that currently have an agent's records: the only ones that are ever written to. */
  roots(agent: AgentId): readonly string[];
  /** False while the disk is nearly full: nothing is copied then. */
  mayWrite(): boolean;
  /** Milliseconds since 1970. */
  now(): number;
}

/** A row of a conversation in a database. It is never restored: only the agent writes to its database. */
export interface KeptRow {
  readonly row: number;
  readonly line: string;
}

/** Reads copies; can be opened in any thread, even before there is a copy. */
export interface KeptReader extends KeptCopies {
  open(file: NumberedFile): KeptCopy | undefined;
  /** Rows of a conversation in a database above `after`, ascending, at most `limit`. */
  rows(path: string, agentSessionId: string, after: number, limit: number): readonly KeptRow[];
  close(): void;
}

export interface KeptCopy extends RecordBytes {
  /** Damaged bytes are replaced by newlines, so that every other byte keeps its offset. */
  read(from: number, to: number): Buffer;
  /** Checks every byte, and returns what can no longer be read. */
  damage(): readonly Damage[];
}

export interface Damage {
  readonly path: string;
  readonly fromByte: number;
  readonly bytes: number;
}

/** A copy was not restored; the message says why, and what to do. */
export class NotRestored extends Error {
  override readonly name = 'NotRestored';
}
