import { useApp } from '../app/cockpit-context.ts';
import { WaitingCard } from '../approvals/waiting-card.tsx';

/** Everything that waits for a person, over all sessions, oldest first. */
export function InboxPage() {
  const permissions = useApp((state) => state.permissions);
  const isConnected = useApp((state) => state.phase.name === 'open');
  return (
    <main className="inbox">
      <header className="page-head">
        <h1>Waits for you</h1>
        <p className="page-summary">{permissions.length > 0 ? `${permissions.length}, oldest first` : ''}</p>
      </header>
      <div className="inbox-list">
        {permissions.length === 0 && isConnected && <p className="quiet">Nothing waits for you. Agents that ask will appear here, on every device.</p>}
        {permissions.map((permission, at) => (
          <WaitingCard key={permission.requestId} permission={permission} hasKeys={at === 0} />
        ))}
      </div>
    </main>
  );
}
