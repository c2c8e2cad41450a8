import { useNavigate } from '@tanstack/react-router';
import { useActions } from '../../base/actions/actions-context.ts';
import { useShownRequests, useWaitingEntries } from '../../parts/approvals/list/pending-cards.ts';
import { WaitingList } from '../../parts/approvals/list/waiting-list.tsx';
import { stepFrom } from '../../parts/approvals/selection/selection.ts';
import { useRequestSelection } from '../../parts/approvals/selection/use-request-selection.ts';

/** The cards of the inbox. One is selected, and every key acts on it. */
export function InboxList() {
  const entries = useWaitingEntries();
  const shown = useShownRequests(entries);
  const { selection, select } = useRequestSelection(shown, true);
  const navigate = useNavigate();
  const selected = entries.find(({ permission }) => permission.requestId === selection?.requestId)?.permission;
  const open = ({ sessionId, seq }: NonNullable<typeof selected>) => void navigate({ to: '/s/$sessionId', params: { sessionId }, hash: `e${seq}` });
  useActions({
    'list.next': () => select(stepFrom(shown, selection, 1)),
    'list.previous': () => select(stepFrom(shown, selection, -1)),
    'list.open': selected && (() => open(selected)),
  });
  return <WaitingList entries={entries} selection={selection} onSelect={({ permission }) => select(permission.requestId)} whenSelected="with-focus" />;
}
