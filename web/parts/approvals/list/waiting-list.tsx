import { TextBoundary } from '../../../base/ui/plain-text.tsx';
import { useCockpit } from '../../../store/cockpit-context.ts';
import type { WhenSelected } from '../card/approval-card.tsx';
import type { Selection } from '../selection/selection.ts';
import { useClickGuard } from '../selection/use-click-guard.ts';
import type { WaitingEntry } from './pending-cards.ts';
import { WaitingCard } from './waiting-card.tsx';

interface WaitingListProps {
  readonly entries: readonly WaitingEntry[];
  readonly selection: Selection | undefined;
  readonly onSelect: (entry: WaitingEntry) => void;
  readonly whenSelected: WhenSelected;
}

/** All pending requests, as cards that keep their position. */
export function WaitingList({ entries, selection, onSelect, whenSelected }: WaitingListProps) {
  const cockpit = useCockpit();
  const clickGuard = useClickGuard(
    entries.map(({ permission }) => permission.requestId),
    () => cockpit.touchWaiting(),
  );
  return (
    <ol className="waiting-list" {...clickGuard}>
      {entries.map((entry) => {
        const { requestId } = entry.permission;
        return (
          <li key={requestId} onFocusCapture={() => onSelect(entry)}>
            <TextBoundary of={entry} text={() => JSON.stringify(entry.permission.input, null, 2)}>
              <WaitingCard entry={entry} chosen={selection?.requestId === requestId ? selection.chosen : undefined} whenSelected={whenSelected} />
            </TextBoundary>
          </li>
        );
      })}
    </ol>
  );
}
