import * as z from 'zod/mini';
import { Event } from '../../../src/protocol/event.ts';
import { Delta, ServerFrame } from '../../../src/protocol/frame.ts';
import { SessionId } from '../../../src/protocol/ids.ts';
import { Session } from '../../../src/protocol/session.ts';

type DeltaFrame = Extract<ServerFrame, { type: 'delta' }>;

/** A server frame; undefined if this page doesn't know it. */
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

/** Without a schema: deltas are frequent, and validating one would cost several times its rendering. */
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

/** An event of a newer server is shown as an unrecognized line, so that the sequence has no gap. */
export function eventOf(raw: unknown, seq: number): Event {
  const parsed = Event.safeParse(raw);
  if (parsed.success) return parsed.data;
  return {
    type: 'unrecognised',
    seq,
    at: new Date(0).toISOString(),
    atKnown: false,
    raw: JSON.stringify(raw) ?? '',
    reason: 'this page is older than the server; reload it',
  };
}
