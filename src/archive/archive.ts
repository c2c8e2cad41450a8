import type { PastLine } from '../agents/port/archive.ts';
import type { Branch, IndexProgress, KeptState, RestoreAnswer } from '../protocol/api/archive.ts';
import type { RawLine } from '../protocol/api/raw.ts';
import type { Event, EventBodyOf } from '../protocol/event.ts';
import type { AgentId, SessionId } from '../protocol/ids.ts';
import type { PastOfSession } from '../protocol/session.ts';

/**
 * Other programs' sessions. One thread reads their records (`ArchiveIndexer`) and gives every event its number once, in `archive.db`;
 * everyone else reads what that database points at (`ArchiveReader`). Numbers are durable: links, hits and notes depend on them.
 */
export interface ArchiveReader {
  session(id: SessionId): PastSession | undefined;
  /** Every past session there is. */
  sessions(): Iterable<PastSession>;
  /** One event, by its number. */
  event(id: SessionId, seq: number): Event | undefined;
  /** Everything with a number above this one, in all branches, as the indexer first reported it: for rebuilding the index. */
  batch(id: SessionId, after: number, limit: number): Pick<PastBatch, 'events' | 'spent'>;
  /** Lines of a conversation's record, starting at these bytes of its files, including those without a number. */
  lines(agent: AgentId, agentSessionId: string, from: Readonly<Record<string, number>>, limit: number): RecordLines;
  /** Events of one branch (the active one unless named) as a live session would have reported them; a removed one has a notice in its place. */
  events(id: SessionId, page: PastPage): readonly Event[];
  branches(id: SessionId): readonly Branch[];
  /** Long texts and images, which events reference by hash. */
  blob(sha256: string): Uint8Array | undefined;
  /** Raw lines of the record, for debugging: each with the number of its first event, up to a total size. */
  raw(id: SessionId, page: PastPage): readonly RawLine[];
  close(): void;
}

/** A range of a record: its parsed lines, and the byte it reaches in each file. */
export interface RecordLines {
  readonly lines: readonly { readonly file: string; readonly byte: number; readonly part?: string; readonly line: PastLine }[];
  readonly position: Readonly<Record<string, number>>;
  readonly more: boolean;
}

export interface PastPage {
  readonly after?: number;
  readonly before?: number;
  readonly branch?: number;
  readonly limit: number;
}

/** A past session as its record describes it. */
export interface PastSession {
  readonly id: SessionId;
  readonly agent: AgentId;
  readonly agentSessionId: string;
  readonly title: string;
  readonly cwd?: string;
  readonly model?: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly lastSeq: number;
  readonly lastLine?: string;
  /** The conversation it was forked from, or continues. */
  readonly parent?: { readonly sessionId: SessionId; readonly seq: number };
  readonly past: PastOfSession;
  /** A turn is open at its end: the last message is to the agent (a prompt or a result), or a call has no result. */
  readonly isOpen: boolean;
}

export type Spent = Omit<EventBodyOf<'usage.reported'>, 'type'> & { readonly at: string; readonly seq: number };

/** What was read of one session at once: events in order, continuing the previous numbers. */
export interface PastBatch {
  readonly session: PastSession;
  readonly events: readonly Event[];
  readonly spent: readonly Spent[];
}

/** Reads records, in the records thread. Each step is short, so that questions are answered in between. */
export interface ArchiveIndexer {
  /** Checks every record below the known roots by `stat`; new, grown, shrunk or replaced ones become due, and are listed after a quick look. */
  sweep(): void;
  /** A file system event reported this path. */
  touched(path: string): void;
  /** Works for a few milliseconds, newest sessions first; false when nothing is due. */
  step(): boolean;
  /** Copies some of what was read into the data folder, if copies are kept; false when there is nothing to copy. */
  copy(): boolean;
  /** Reads this conversation now, before all others; returns its past session, if there is a record. */
  readNow(agent: AgentId, agentSessionId: string): PastSession | undefined;
  /** A session of ours adopted this conversation after `base` (0: it started here): later lines belong to it and get no numbers here. */
  adopted(agent: AgentId, agentSessionId: string, base: number): void;
  progress(): IndexProgress;
  kept(): KeptState;
  keep(on: boolean): void;
  /** Restores the kept copy to where the agent finds it. Throws an error with a readable message. */
  restore(id: SessionId): RestoreAnswer;
  close(): void;
}

/** What the indexer reports. */
export interface ArchiveNews {
  /** Numbered events, after they are durable in archive.db. */
  read(batch: PastBatch): void;
  /** Listed for the first time, or with changed facts. */
  listed(session: PastSession): void;
  removed(id: SessionId): void;
  /** The record of an adopted conversation has new lines. */
  grown(agent: AgentId, agentSessionId: string): void;
}
