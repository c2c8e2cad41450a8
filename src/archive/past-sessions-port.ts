import type { PastLine } from '../agents/archive.ts';
import type { RecordFacts } from '../domain/session/summary.ts';
import type { Event } from '../protocol/event.ts';
import type { AgentId, SessionId } from '../protocol/ids.ts';

/** What other programs had with agents, as far as the engine needs it: to take a past session up, and to follow what goes on in its record. */
export interface PastPort {
  /** This conversation is read now, to its end; its past session, when there is a record of it. */
  settle(agent: AgentId, agentSessionId: string): Promise<PastFound | undefined>;
  /** The same, by the id of the past session. */
  find(id: SessionId): Promise<PastFound | undefined>;
  /** What lists show of the record of a session that was taken up; what is known now, without looking. */
  facts(id: SessionId): RecordFacts | undefined;
  /** Events of a past session, ascending: those after a number, or the last ones before one. What lies beside the way is not among them. */
  events(id: SessionId, page: PastEventsPage): Promise<readonly Event[]>;
  /** The way on which this event lies, when it is another than the one that the agent would go on. */
  wayOf(id: SessionId, seq: number): Promise<number | undefined>;
  /**
   * A session of ours has this conversation: numbers behind `base` are the journal's, and whatever the record was given there is
   * taken back (0: it began here, and is no past session). Told again after every start.
   */
  takenUp(agent: AgentId, agentSessionId: string, base: number): void;
  /** Lines of the record that have no number, in the order in which they were written, from this place on: what came before it may come again. A batch is one transaction: a few hundred at the most. */
  lines(agent: AgentId, agentSessionId: string, from: RecordPlace): AsyncIterable<RecordBatch>;
}

export interface PastEventsPage {
  readonly after?: number;
  readonly before?: number;
  readonly limit: number;
  /** One of `wayOf`; the one that the agent would go on, where it is not said. */
  readonly way?: number | undefined;
}

export interface PastFound {
  readonly id: SessionId;
  readonly agent: AgentId;
  readonly agentSessionId: string;
  readonly lastSeq: number;
  readonly title?: string;
  /** The folder it was had in; an agent may go on with it only there. */
  readonly cwd?: string;
  /** The agent's own file is not there any more. */
  readonly gone?: boolean;
}

/** Of each file of a record: the byte up to which it is known. A file that is shorter by now is read from its beginning. */
export type RecordPlace = Readonly<Record<string, number>>;

export interface RecordBatch {
  readonly lines: readonly RecordLine[];
  /** The place behind these lines. */
  readonly place: RecordPlace;
}

export interface RecordLine {
  readonly file: string;
  readonly byte: number;
  /** Of a part of the conversation that has a file of its own (a subagent): its name. */
  readonly part?: string;
  readonly line: PastLine;
}
