import type { Engine } from '../../engine/engine.ts';
import type { Event } from '../../protocol/event.ts';
import type { SessionId } from '../../protocol/ids.ts';
import type { Session } from '../../protocol/session.ts';
import { type WireFrame, wireText } from './wire-frame.ts';

/** Events a new page gets; older ones are fetched as the person scrolls up. */
export const WINDOW_EVENTS = 200;
/** A page that reconnects gets everything it missed if that is at most this many events, else a window. */
export const RESUME_EVENTS = 1000;
/** Limit for both: a snapshot has to fit a slow client's buffer. */
export const SNAPSHOT_BYTES = 4 * 1024 * 1024;

export interface Snapshot {
  readonly frame: WireFrame;
  /** The last event in the snapshot, or before it. Live events continue from here. */
  readonly seq: number;
}

/** What a subscriber gets first. Read synchronously, so no event can fall between the snapshot and the live events. */
export function snapshotOf(engine: Engine, session: Session, after: number | undefined): Snapshot {
  const lastSeq = lastSeqOf(engine, session.id);
  const texts = missed(engine, session.id, after, lastSeq) ?? lastWindow(engine, session.id);
  const firstSeq = lastSeq - texts.length + 1;
  const partial = JSON.stringify(engine.partial(session.id));
  const head = `{"type":"snapshot","sessionId":"${session.id}","session":${JSON.stringify(session)}`;
  return { frame: wireText(`${head},"events":[${texts.join(',')}],"firstSeq":${firstSeq},"seq":${lastSeq},"partial":${partial}}`), seq: lastSeq };
}

/** Greater than any seq, and exact as a float. */
const END = Number.MAX_SAFE_INTEGER;

const lastSeqOf = (engine: Engine, id: SessionId): number => engine.events(id, { before: END, limit: 1 }).at(-1)?.seq ?? 0;

function missed(engine: Engine, id: SessionId, after: number | undefined, lastSeq: number): readonly string[] | undefined {
  if (after === undefined || after > lastSeq || lastSeq - after > RESUME_EVENTS) return undefined;
  if (after === lastSeq) return [];
  const texts = newestThatFit(engine.events(id, { after, limit: RESUME_EVENTS }));
  return texts.length === lastSeq - after ? texts : undefined;
}

const lastWindow = (engine: Engine, id: SessionId): readonly string[] => newestThatFit(engine.events(id, { before: END, limit: WINDOW_EVENTS }));

/** The last window of a past session. Events on other branches are left out, so the seqs can have gaps. */
export function pastSnapshot(session: Session, events: readonly Event[]): Snapshot {
  const texts = newestThatFit(events);
  const firstSeq = events.at(-texts.length)?.seq ?? 0;
  const head = `{"type":"snapshot","sessionId":"${session.id}","session":${JSON.stringify(session)}`;
  return { frame: wireText(`${head},"events":[${texts.join(',')}],"firstSeq":${firstSeq},"seq":${session.lastSeq},"partial":[]}`), seq: session.lastSeq };
}

/** Takes events from the end until the byte limit is reached; always at least one. */
function newestThatFit(events: readonly Event[]): readonly string[] {
  const texts: string[] = [];
  let bytes = 0;
  for (const event of [...events].reverse()) {
    const text = JSON.stringify(event);
    bytes += Buffer.byteLength(text);
    if (bytes > SNAPSHOT_BYTES && texts.length > 0) break;
    texts.push(text);
  }
  return texts.reverse();
}
