import type { Event } from '../protocol/event.ts';

/** Events merged with entries of a record that are not events: each after the event with its number. */
export function inOrder<T extends { readonly seq: number }>(events: readonly Event[], beside: readonly T[]): readonly (Event | T)[] {
  if (beside.length === 0) return events;
  return [...events, ...beside].sort((a, b) => a.seq - b.seq);
}
