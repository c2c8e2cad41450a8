import type { Event, EventBody } from '../protocol/event.ts';
import type { RuleId } from '../protocol/rule.ts';
import type { Entry } from './journal.ts';

export type Unnumbered = EventBody & { readonly at?: string };

/** The body of an event with its place. The compiler cannot follow a spread over the union, so it is said here, once. */
export function numbered(body: Unnumbered, seq: number, at: string): Event {
  return { ...body, seq, at: body.at ?? at } as Event;
}

/** After which number an entry must begin: a session of which nothing is kept yet begins behind what another record has of it. */
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

/** The rules that decided what this event tells. What was copied from another session was counted there. */
export function rulesUsedIn(event: Unnumbered): readonly RuleId[] {
  const isDecision = event.type === 'permission.resolved' && event.actor?.kind === 'rule' && !event.inherited;
  return isDecision ? [...new Set(event.rules)] : [];
}

/** Every event takes a position of its own; a receipt that came without events takes one as well. */
export function positionsOf(entry: Entry): number {
  return entry.events.length > 0 || !entry.receipt ? entry.events.length : 1;
}
