import type { Event } from '../protocol/event.ts';

/** Events, and what stands in a record beside them: each of these after the event that has its number. */
export function inOrder<T extends { readonly seq: number }>(events: readonly Event[], beside: readonly T[]): readonly (Event | T)[] {
  if (beside.length === 0) return events;
  return [...events, ...beside].sort((a, b) => a.seq - b.seq);
}
