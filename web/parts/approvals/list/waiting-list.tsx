import { TextBoundary } from '../../../base/ui/plain-text.tsx';
import { useCockpit } from '../../../store/cockpit-context.ts';
import type { Comes } from '../card/approval-card.tsx';
import type { Selection } from '../selection/selection.ts';
import { useSteadyHand } from '../selection/use-click-guard.ts';
import { WaitingCard } from './waiting-card.tsx';
import type { TrayEntry } from './waiting-cards.ts';

interface WaitingListProps {
  readonly entries: readonly TrayEntry[];
  readonly selection: Selection | undefined;
  readonly onSelect: (entry: TrayEntry) => void;
  readonly comes: Comes;
}

/** Everything that waits, as cards that keep their place. */
export function WaitingList({ entries, selection, onSelect, comes }: WaitingListProps) {
  const cockpit = useCockpit();
  const hand = useSteadyHand(
    entries.map(({ permission }) => permission.requestId),
    () => cockpit.touchWaiting(),
  );
  return (
    <ol className="waiting-list" {...hand}>
      {entries.map((entry) => {
        const { requestId } = entry.permission;
        return (
          <li key={requestId} onFocusCapture={() => onSelect(entry)}>
            <TextBoundary of={entry} text={() => JSON.stringify(entry.permission.input, null, 2)}>
              <WaitingCard entry={entry} chosen={selection?.requestId === requestId ? selection.chosen : undefined} comes={comes} />
            </TextBoundary>
          </li>
        );
      })}
    </ol>
  );
}
