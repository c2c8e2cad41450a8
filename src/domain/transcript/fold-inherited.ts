import type { Event } from '../../protocol/event.ts';
import { type Draft, put } from './draft.ts';
import { foldEvent } from './fold-event.ts';

const BEFORE = 'seam:before';
const HERE = 'seam:here';

/** Folds one more event: the session's own, or one inherited from the session it continues. */
export function foldNext(draft: Draft, event: Event): void {
  if (event.inherited) return foldInherited(draft, event);
  foldBoundary(draft, event);
  foldEvent(draft, event);
}

/** Inherited events appear unchanged, under a line that says so. None of them is pending. */
function foldInherited(draft: Draft, event: Event): void {
  if (event.type.startsWith('input.') || event.type === 'session.created') return;
  if (!draft.items.has(BEFORE)) put(draft, { kind: 'seam', key: BEFORE, side: 'before', seq: event.seq, inherited: true });
  const known = draft.order.length;
  foldEvent(draft, event);
  for (const key of draft.order.slice(known)) {
    const item = draft.items.get(key);
    if (item !== undefined) draft.items.set(key, { ...item, inherited: true });
  }
}

/** Draws the line before the session's own first event after inherited ones. */
function foldBoundary(draft: Draft, event: Event): void {
  if (draft.items.has(BEFORE) && !draft.items.has(HERE)) put(draft, { kind: 'seam', key: HERE, side: 'here', seq: event.seq, at: event.at });
}
