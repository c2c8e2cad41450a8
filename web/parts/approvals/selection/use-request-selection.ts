import { useState } from 'react';
import { type Selected, type Selection, type ShownRequests, selectionOf, settled, withoutKeys } from './selection.ts';

export interface RequestSelection {
  readonly selection: Selection | undefined;
  /** Selects a request, or none, for the person. Selecting the same one again changes nothing: it may still have to wait for its keys. */
  select(requestId: string | undefined): void;
}

/** The one request that keys act on, of those that are shown here. `areKeysActive`: keys act on this part of the page now. */
export function useRequestSelection(shown: ShownRequests, areKeysActive: boolean): RequestSelection {
  const [current, setCurrent] = useState<Selected>();
  const now = settled(current, shown);
  const selected = areKeysActive ? now : withoutKeys(now);
  if (selected !== current) setCurrent(selected);
  const selection = selected === 'none' ? undefined : selected;
  return {
    selection,
    select: (requestId) => requestId !== selection?.requestId && setCurrent(requestId === undefined ? 'none' : selectionOf(shown, requestId, 'by-user')),
  };
}
