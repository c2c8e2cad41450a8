import type { PastLine } from '../agents/archive.ts';
import type { Branch, IndexProgress, KeptState, RestoreAnswer } from '../protocol/api/archive.ts';
import type { RawLine } from '../protocol/api/raw.ts';
import type { Event, EventBodyOf } from '../protocol/event.ts';
import type { AgentId, SessionId } from '../protocol/ids.ts';
import type { PastOfSession } from '../protocol/session.ts';

/**
 * Other programs' sessions. Records are read by one thread (`ArchiveIndexer`), which gives every event its number once, in `archive.db`;
 * everybody else reads what that database points at (`ArchiveReader`). Numbers are durable: links, hits and notes hang on them.
 */
export interface ArchiveReader {
  session(id: SessionId): PastSession | undefined;
  /** Every past session there is. */
  sessions(): Iterable<PastSession>;
  /** One event, by its number. */
  event(id: SessionId, seq: number): Event | undefined;
  /** Everything with a number above this one, of all branches, as the indexer told it when it was read: for whoever makes views of it again. */
  batch(id: SessionId, after: number, limit: number): Pick<PastBatch, 'events' | 'spent'>;
  /** Lines of a conversation's record as they stand, from these bytes of its files on, also those that have no number. */
  lines(agent: AgentId, agentSessionId: string, from: Readonly<Record<string, number>>, limit: number): RecordLines;
  /** Events of one branch (the active one unless named) as the live session would have told them; a vanished one says so in its place. */
  events(id: SessionId, page: PastPage): readonly Event[];
  branches(id: SessionId): readonly Branch[];
  /** Long texts and images, which events name by their hash. */
  blob(sha256: string): Uint8Array | undefined;
  /** Raw lines as they stand in the record, for people who debug: each by the number of its first event, and all within a bound. */
  raw(id: SessionId, page: PastPage): readonly RawLine[];
  close(): void;
}

/** A stretch of a record: each line as the agent's archive reads it, and the bytes of each file up to which it goes. */
export interface RecordLines {
  readonly lines: readonly { readonly file: string; readonly byte: number; readonly part?: string; readonly line: PastLine }[];
  readonly place: Readonly<Record<string, number>>;
  readonly more: boolean;
}

export interface PastPage {
  readonly after?: number;
  readonly before?: number;
  readonly branch?: number;
  readonly limit: number;
}

/** A past session as its record tells it. */
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
  /** The conversation it was copied from, or goes on from. */
  readonly parent?: { readonly sessionId: SessionId; readonly seq: number };
  readonly past: PastOfSession;
  /** A turn is open at its end: the last thing said is to the agent (a prompt, a result), or a call is without result. */
  readonly isOpen: boolean;
}

export type Spent = Omit<EventBodyOf<'usage.reported'>, 'type'> & { readonly at: string; readonly seq: number };

/** What was read of one session in one go: events in the order of their numbers, which go on from the last. */
export interface PastBatch {
  readonly session: PastSession;
  readonly events: readonly Event[];
  readonly spent: readonly Spent[];
}

/** The thread that reads records. Nothing here waits: each step is short, so that others get their turn. */
export interface ArchiveIndexer {
  /** Looks at every record below the known roots by `stat`; what is new, grown, shrunk or replaced is due. Listed by a glance at once. */
  sweep(): void;
  /** A file system event named this path. */
  touched(path: string): void;
  /** Does some milliseconds of what is due, newest sessions first; false when nothing is. */
  step(): boolean;
  /** Copies some of what was read into the data folder, when copies are kept; false when there is nothing to copy. */
  copy(): boolean;
  /** This conversation is read now, before all others; its past session, when there is a record of it. */
  settle(agent: AgentId, agentSessionId: string): PastSession | undefined;
  /** A session of ours took this conversation up after `base` (0: it began here): later lines belong to it and get no numbers here. */
  takenUp(agent: AgentId, agentSessionId: string, base: number): void;
  progress(): IndexProgress;
  kept(): KeptState;
  keep(on: boolean): void;
  /** Puts the kept copy back where the agent finds it. Throws in words. */
  restore(id: SessionId): RestoreAnswer;
  close(): void;
}

/** What the indexer tells. */
export interface ArchiveNews {
  /** Numbered events, after they are durable in archive.db. */
  read(batch: PastBatch): void;
  /** Listed for the first time, or other facts than before. */
  listed(session: PastSession): void;
  removed(id: SessionId): void;
  /** The record of a conversation that a session of ours took up has new lines. */
  grown(agent: AgentId, agentSessionId: string): void;
}
