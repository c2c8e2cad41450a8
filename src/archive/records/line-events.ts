import type { AgentArchive, PastLine, RecordContext } from '../../agents/port/archive.ts';
import { type BlobSink, isDeep, prepareObservation } from '../../domain/long-content.ts';
import type { Event } from '../../protocol/event.ts';
import { LIMITS } from '../../protocol/limits.ts';
import type { KeptObservation } from '../../protocol/observation.ts';
import type { Spent } from '../archive.ts';
import type { RecordLine } from './line-cursor.ts';
import { isoOf, isoTime } from './times.ts';

/** Parses a line. Never throws, whatever the adapter does. */
export function readLine(archive: AgentArchive, line: Pick<RecordLine, 'text' | 'isCut' | 'problem'>, context: RecordContext, place: number): PastLine {
  if (line.isCut) return unread(line.text, `The line is longer than ${LIMITS.agentLineBytes / 1024 / 1024} MB.`);
  if (line.problem !== undefined) return unread(line.text, line.problem);
  try {
    return archive.read(line.text, context, place);
  } catch (error) {
    return unread(line.text, `The line could not be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

const unread = (raw: string, reason: string): PastLine => ({ observations: [{ type: 'unrecognised', raw, reason }] });

/** The line with its times in ISO format, without invalid ones. */
export function timed(line: PastLine): PastLine {
  const { spent, facts } = line;
  return {
    ...line,
    observations: line.observations.map(timedObservation),
    ...(spent && { spent: withTime(spent, 'at') }),
    ...(facts && { facts: withTime(facts, 'lastAt') }),
  };
}

const timedObservation = (observation: KeptObservation): KeptObservation =>
  observation.agentAt === isoTime(observation.agentAt) ? observation : withTime(observation, 'agentAt');

function withTime<T extends object>(from: T, name: keyof T & string): T {
  const text = from[name];
  const time = isoTime(typeof text === 'string' ? text : undefined);
  const result = { ...from, [name]: time };
  if (time === undefined) delete result[name];
  return result;
}

/** Where the events of a line belong. */
export interface LinePosition {
  /** Number of the first event. */
  readonly seq: number;
  /** Milliseconds since 1970, for events without their own time. */
  readonly at: number;
  /** The line itself has no time. */
  readonly isGuess: boolean;
  readonly file: string;
  readonly place: number;
  readonly bytes: number;
}

/** Events of observations, as a live session would have reported them. */
export function eventsOf(line: PastLine, observations: readonly KeptObservation[], position: LinePosition, sink: BlobSink): readonly Event[] {
  const src = { file: position.file, byte: position.place };
  const uuid = line.node?.id;
  return observations.map((observation, index) => {
    const prepared = prepare(observation, position.bytes, sink);
    const own = isoTime(prepared.agentAt);
    const time = own !== undefined ? { at: own } : { at: isoOf(position.at), ...(position.isGuess && { atKnown: false }) };
    return toEvent(prepared, { seq: position.seq + index, ...time, src, ...(uuid !== undefined && { uuid }) });
  });
}

/** Turns an observation into an event with a number, a time and a source. A loop is several times faster here than a spread. */
function toEvent(observation: KeptObservation, envelope: Record<string, unknown>): Event {
  const fields: Readonly<Record<string, unknown>> = observation;
  for (const key in fields) if (key !== 'agentAt' && key !== 'rawImages' && key !== 'outputFile') envelope[key] = fields[key];
  return envelope as Event;
}

const prepare = (observation: KeptObservation, lineBytes: number, sink: BlobSink): KeptObservation =>
  lineBytes <= LIMITS.inlineBytes / 3 && observation.rawImages === undefined && !isDeep(observation) ? observation : prepareObservation(sink, observation);

/** The tokens and cost in a line, attached to its last event or the last one before it. */
export function spentOf({ spent }: PastLine, time: number, lastSeq: number): readonly Spent[] {
  if (spent === undefined) return [];
  const { at, ...rest } = spent;
  return [{ ...rest, at: isoTime(at) ?? isoOf(time), seq: Math.max(1, lastSeq) }];
}

/** Replaces an event whose line is no longer in the record. */
export const tombstoneEvent = (seq: number, at: string): Event => ({
  type: 'notice.shown',
  seq,
  at,
  level: 'info',
  text: 'The agent removed this part of the conversation from its record.',
});
