import type { PastLine } from '../agents/port/archive.ts';
import type { RecordFacts } from '../domain/session/summary.ts';
import type { Event } from '../protocol/event.ts';
import type { AgentId, SessionId } from '../protocol/ids.ts';

/** The engine's view of other programs' sessions: it adopts past sessions, and follows their records. */
export interface PastSessionsPort {
  /** Reads this conversation now, to its end; returns its past session, if there is a record. */
  readNow(agent: AgentId, agentSessionId: string): Promise<FoundPastSession | undefined>;
  /** The same, by the id of the past session. */
  find(id: SessionId): Promise<FoundPastSession | undefined>;
  /** Every past session that is known, the last used first. */
  newest(): readonly FoundPastSession[];
  /** What lists show about the record of an adopted session; as currently known, without reading. */
  facts(id: SessionId): RecordFacts | undefined;
  /** Events of one branch of a past session, ascending: those after a number, or the last ones before one. */
  events(id: SessionId, page: PastEventsPage): Promise<readonly Event[]>;
  /** The branch of this event, if it isn't on the one that the agent would continue. */
  branchOf(id: SessionId, seq: number): Promise<number | undefined>;
  /**
   * A session of ours has this conversation: numbers after `base` belong to the journal, and any that the record was given there are
   * withdrawn (0: it started here, and isn't a past session). Called again after every start.
   */
  adopted(agent: AgentId, agentSessionId: string, base: number): void;
  /** Lines of the record without a number, in the order they were written, starting at this position; earlier lines can repeat. A batch is one transaction: a few hundred lines at most. */
  lines(agent: AgentId, agentSessionId: string, from: RecordPosition): AsyncIterable<RecordBatch>;
}

export interface PastEventsPage {
  readonly after?: number;
  readonly before?: number;
  readonly limit: number;
  /** From `branchOf`; defaults to the one that the agent would continue. */
  readonly branch?: number | undefined;
}

export interface FoundPastSession {
  readonly id: SessionId;
  readonly agent: AgentId;
  readonly agentSessionId: string;
  readonly lastSeq: number;
  readonly title?: string;
  /** Its folder; the agent can continue it only there. */
  readonly cwd?: string;
  /** The agent's own file is gone. */
  readonly gone?: boolean;
}

/** For each file of a record, the byte up to which it was read. A file that is shorter now is read from its start. */
export type RecordPosition = Readonly<Record<string, number>>;

export interface RecordBatch {
  readonly lines: readonly RecordLine[];
  /** The position after these lines. */
  readonly position: RecordPosition;
}

export interface RecordLine {
  readonly file: string;
  readonly byte: number;
  /** The name of a part with its own file (a subagent). */
  readonly part?: string;
  readonly line: PastLine;
}
