import { Link } from '@tanstack/react-router';
import type { WaitingPermission } from '../../src/protocol/http.ts';
import { ApprovalCard } from './approval-card.tsx';

/** A request outside of its session: the title leads to the place where the agent stands. */
export function WaitingCard({ permission, hasKeys }: { readonly permission: WaitingPermission; readonly hasKeys: boolean }) {
  const who = (
    <Link to="/s/$sessionId" params={{ sessionId: permission.sessionId }} hash={`e${permission.seq}`} className="approval-who">
      {permission.sessionTitle}
    </Link>
  );
  return <ApprovalCard request={permission} hasKeys={hasKeys} who={who} />;
}
