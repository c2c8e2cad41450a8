import type { Event, EventOf } from '../../../src/protocol/event.ts';
import type { OpenSession } from '../state/app-state.ts';

type Mark = EventOf<'item.marked'>;

/** Recent marks on an item shown far from the end: their events are at the end, outside that window. */
export const marksOutsideWindow = (opened: OpenSession | undefined, itemKey: string): readonly Mark[] | undefined =>
  opened?.away === undefined ? undefined : marksIn(opened.transcript.events).get(itemKey);

/** By item; computed once per state of the end, because every row asks. */
function marksIn(events: readonly Event[]): ReadonlyMap<string, readonly Mark[]> {
  const known = found.get(events);
  if (known !== undefined) return known;
  const marks = new Map<string, readonly Mark[]>();
  for (const event of events) if (event.type === 'item.marked') marks.set(event.item, [...(marks.get(event.item) ?? []), event]);
  found.set(events, marks);
  return marks;
}

const found = new WeakMap<readonly Event[], ReadonlyMap<string, readonly Mark[]>>();
