import * as z from 'zod/mini';
import { Event } from '../../../src/protocol/event.ts';
import { Delta, ServerFrame } from '../../../src/protocol/frame.ts';
import { SessionId } from '../../../src/protocol/ids.ts';
import { Session } from '../../../src/protocol/session.ts';

type DeltaFrame = Extract<ServerFrame, { type: 'delta' }>;

/** A frame of the server, or nothing when it is not one that this page knows. */
export function parseFrame(text: string): ServerFrame | undefined {
  const raw = jsonOf(text);
  if (raw === undefined) return undefined;
  if (isDelta(raw)) return raw;
  if (raw.type === 'event') return eventFrame(raw);
  if (raw.type === 'snapshot') return snapshotFrame(raw);
  const parsed = ServerFrame.safeParse(raw);
  return parsed.success ? parsed.data : undefined;
}

type Json = Readonly<Record<string, unknown>>;

function jsonOf(text: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Json) : undefined;
  } catch {
    return undefined;
  }
}

/** By hand: deltas are the many, and a schema costs several times their drawing. */
const isDelta = (raw: Json): raw is Json & DeltaFrame =>
  raw.type === 'delta' &&
  typeof raw.sessionId === 'string' &&
  typeof raw.itemId === 'string' &&
  typeof raw.text === 'string' &&
  typeof raw.offset === 'number' &&
  (raw.kind === 'text' || raw.kind === 'thinking' || raw.kind === 'tool_input');

const EventEnvelope = z.object({ type: z.literal('event'), sessionId: SessionId, seq: z.int(), event: z.unknown() });

function eventFrame(raw: Json): ServerFrame | undefined {
  const parsed = EventEnvelope.safeParse(raw);
  return parsed.success ? { ...parsed.data, event: eventOf(parsed.data.event, parsed.data.seq) } : undefined;
}

const SnapshotEnvelope = z.object({
  type: z.literal('snapshot'),
  sessionId: SessionId,
  session: Session,
  events: z.array(z.unknown()),
  firstSeq: z.int(),
  seq: z.int(),
  partial: z.array(Delta),
});

function snapshotFrame(raw: Json): ServerFrame | undefined {
  const parsed = SnapshotEnvelope.safeParse(raw);
  if (!parsed.success) return undefined;
  const { events, firstSeq } = parsed.data;
  return { ...parsed.data, events: events.map((event, at) => eventOf(event, firstSeq + at)) };
}

/** The shapes of events are put together when one is first looked at: that is done while the socket opens, when nobody waits for it. */
export const readyForEvents = (): boolean =>
  Event.safeParse({ type: 'turn.started', seq: 1, at: new Date(0).toISOString(), turnId: 'first', cause: '' }).success;

/** An event of a newer server is shown as a line nobody understood, rather than leaving a hole in the count. */
export function eventOf(raw: unknown, seq: number): Event {
  const parsed = Event.safeParse(raw);
  if (parsed.success) return parsed.data;
  return {
    type: 'unrecognised',
    seq,
    at: new Date(0).toISOString(),
    atKnown: false,
    raw: JSON.stringify(raw) ?? '',
    reason: 'this page is older than the server',
  };
}
