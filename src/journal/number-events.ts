import type { Event, EventBody } from '../protocol/event.ts';
import type { RuleId } from '../protocol/rule.ts';
import type { Entry } from './journal.ts';

export type Unnumbered = EventBody & { readonly at?: string };

/** An event body with its seq and time. The compiler can't follow a spread over the union, so the cast is here, once. */
export function numbered(body: Unnumbered, seq: number, at: string): Event {
  return { ...body, seq, at: body.at ?? at } as Event;
}

/** After which number an entry must start: a session without stored events starts after the numbers of its record. */
export function lastBefore(lastSeq: number, { events: [first] }: Pick<Entry, 'events'>): number {
  if (lastSeq > 0) return lastSeq;
  return first?.type === 'session.created' ? (first.base ?? 0) : 0;
}

/** Every blob an event refers to, in its text fields or as images. */
export function blobsOf(event: Unnumbered): readonly string[] {
  const fields = Object.values(event.blobs ?? {}).map((blob) => blob.sha256);
  const images = 'images' in event && event.images ? event.images.map((image) => image.sha256) : [];
  return [...fields, ...images];
}

/** The rules that made the decision in this event. Events copied from another session were counted there. */
export function rulesUsedIn(event: Unnumbered): readonly RuleId[] {
  const isDecision = event.type === 'permission.resolved' && event.actor?.kind === 'rule' && !event.inherited;
  return isDecision ? [...new Set(event.rules)] : [];
}

/** Every event takes its own position; so does a receipt without events. */
export function positionsOf(entry: Entry): number {
  return entry.events.length > 0 || !entry.receipt ? entry.events.length : 1;
}
