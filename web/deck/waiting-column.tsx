import { useApp } from '../app/cockpit-context.ts';
import { WaitingList } from '../approvals/waiting-list.tsx';

/** Answer without leaving the deck. Oldest first: it has waited longest. */
export function WaitingColumn() {
  const isEmpty = useApp((state) => state.permissions.length + state.left.length === 0);
  if (isEmpty) return null;
  return (
    <aside className="waiting-column" aria-label="Waits for you">
      <h2>
        Waits for you <span className="quiet">oldest first</span>
      </h2>
      <WaitingList hasArrows={false} />
    </aside>
  );
}
