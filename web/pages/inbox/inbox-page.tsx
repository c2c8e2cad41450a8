import { useApp } from '../../store/cockpit-context.ts';
import { InboxEmpty } from './inbox-empty.tsx';
import { InboxKeys } from './inbox-keys.tsx';
import { InboxList } from './inbox-list.tsx';
import { InboxProposals, useProposingPlans } from './inbox-proposals.tsx';
import { InboxPullRequests, usePullRequestNews } from './inbox-pull-requests.tsx';

/** All requests of all sessions, oldest first. */
export function InboxPage() {
  const count = useApp((state) => state.permissions.length);
  const isEmpty = useApp((state) => state.permissions.length + state.left.length === 0);
  const sessions = usePullRequestNews();
  const plans = useProposingPlans();
  const isKnown = useApp((state) => state.permissionsKnown);
  return (
    <main className="inbox">
      <header className="page-head">
        <h1>Needs you</h1>
        <p className="page-summary" role="status">
          {count > 0 ? `${count}, oldest first` : ''}
        </p>
        <InboxKeys />
      </header>
      <div className="inbox-list">
        {isEmpty ? isKnown && sessions.length + plans.length === 0 && <InboxEmpty /> : <InboxList />}
        <InboxProposals plans={plans} />
        <InboxPullRequests sessions={sessions} />
      </div>
    </main>
  );
}
