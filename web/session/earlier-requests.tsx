import { useShallow } from 'zustand/react/shallow';
import { useApp } from '../app/cockpit-context.ts';
import { ApprovalCard } from '../approvals/approval-card.tsx';

/** Requests that wait although their place in the transcript lies before the window. */
export function EarlierRequests({ sessionId }: { readonly sessionId: string }) {
  const requests = useApp(
    useShallow((state) => {
      const items = state.open.get(sessionId)?.transcript.items;
      if (items === undefined) return [];
      return state.permissions.filter((request) => request.sessionId === sessionId && !items.has(`permission:${request.requestId}`));
    }),
  );
  return requests.map((request) => <ApprovalCard key={request.requestId} request={request} />);
}
