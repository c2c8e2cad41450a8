import { useShallow } from 'zustand/react/shallow';
import type { WaitingPermission } from '../../../src/protocol/http.ts';
import { TextBoundary } from '../../base/ui/plain-text.tsx';
import { useApp } from '../../store/cockpit-context.ts';
import { shownIn } from '../../store/state/app-state.ts';
import { LazyApprovalCard } from '../approvals/card/lazy-approval-card.tsx';
import { useCardSelection } from '../approvals/selection/session-selection.tsx';

/** Requests that are still pending although their row in the transcript is not loaded. */
export function EarlierRequests({ sessionId }: { readonly sessionId: string }) {
  const requests = useApp(
    useShallow((state) => {
      const items = shownIn(state, sessionId)?.items;
      if (items === undefined) return [];
      return state.permissions.filter((request) => request.sessionId === sessionId && !items.has(`permission:${request.requestId}`));
    }),
  );
  return requests.map((request) => (
    <TextBoundary key={request.requestId} of={request} text={() => JSON.stringify(request.input, null, 2)}>
      <EarlierCard request={request} />
    </TextBoundary>
  ));
}

function EarlierCard({ request }: { readonly request: WaitingPermission }) {
  const { chosen, onFocusCapture } = useCardSelection(request.requestId);
  return (
    <div onFocusCapture={onFocusCapture}>
      <LazyApprovalCard request={request} chosen={chosen} />
    </div>
  );
}
