import type { WaitingEntry } from '../../parts/approvals/list/pending-cards.ts';
import { WaitingList } from '../../parts/approvals/list/waiting-list.tsx';
import type { DeckSelection } from './use-deck-selection.ts';

interface WaitingColumnProps {
  readonly entries: readonly WaitingEntry[];
  readonly selection: DeckSelection;
}

/** Requests to answer without leaving the deck, oldest first. */
export function WaitingColumn({ entries, selection: { request, selectRequest } }: WaitingColumnProps) {
  if (entries.length === 0) return null;
  return (
    <aside className="waiting-column" aria-label="Needs you">
      <h2>
        Needs you <span className="quiet">oldest first</span>
      </h2>
      <WaitingList entries={entries} selection={request} onSelect={selectRequest} whenSelected="into-view" />
    </aside>
  );
}
