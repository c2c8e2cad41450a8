import { useState } from 'react';
import { type Selected, type Selection, type ShownRequests, selectionOf, settled, withoutKeys } from './selection.ts';

export interface RequestSelection {
  readonly selection: Selection | undefined;
  /** A person selects a request, or none. To select the same one again changes nothing: it may have to wait for its keys. */
  select(requestId: string | undefined): void;
}

/** The one request that keys act on, of those that are shown here. `isHeard`: keys act on this part of the page now. */
export function useRequestSelection(shown: ShownRequests, isHeard: boolean): RequestSelection {
  const [kept, keep] = useState<Selected>();
  const now = settled(kept, shown);
  const selected = isHeard ? now : withoutKeys(now);
  if (selected !== kept) keep(selected);
  const selection = selected === 'none' ? undefined : selected;
  return {
    selection,
    select: (requestId) => requestId !== selection?.requestId && keep(requestId === undefined ? 'none' : selectionOf(shown, requestId, 'by-user')),
  };
}
