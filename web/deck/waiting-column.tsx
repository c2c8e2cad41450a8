import { useApp } from '../app/cockpit-context.ts';
import { WaitingCard } from '../approvals/waiting-card.tsx';

/** Answer without leaving the deck. Oldest first: it has waited longest. */
export function WaitingColumn() {
  const permissions = useApp((state) => state.permissions);
  if (permissions.length === 0) return null;
  return (
    <aside className="waiting-column" aria-label="Waits for you">
      <h2>
        Answer here <span className="quiet">oldest first</span>
      </h2>
      {permissions.map((permission, at) => (
        <WaitingCard key={permission.requestId} permission={permission} hasKeys={at === 0} />
      ))}
    </aside>
  );
}
