import type { TrayEntry } from '../../parts/approvals/list/waiting-cards.ts';
import { WaitingList } from '../../parts/approvals/list/waiting-list.tsx';
import type { DeckSelection } from './use-deck-selection.ts';

interface WaitingColumnProps {
  readonly entries: readonly TrayEntry[];
  readonly selection: DeckSelection;
}

/** Answer without leaving the deck. Oldest first: it has waited longest. */
export function WaitingColumn({ entries, selection: { request, selectRequest } }: WaitingColumnProps) {
  if (entries.length === 0) return null;
  return (
    <aside className="waiting-column" aria-label="Waits for you">
      <h2>
        Waits for you <span className="quiet">oldest first</span>
      </h2>
      <WaitingList entries={entries} selection={request} onSelect={selectRequest} comes="into-view" />
    </aside>
  );
}
