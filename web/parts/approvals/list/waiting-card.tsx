import { Link } from '@tanstack/react-router';
import { VisibleLine } from '../../../base/ui/visible-text.tsx';
import { ApprovalCard, type WhenSelected } from '../card/approval-card.tsx';
import type { SelectedBy } from '../selection/selection.ts';
import type { WaitingEntry } from './pending-cards.ts';

interface WaitingCardProps {
  readonly entry: WaitingEntry;
  readonly chosen: SelectedBy | undefined;
  readonly whenSelected: WhenSelected;
}

/** A request outside its session: the title links to the request in the transcript. */
export function WaitingCard({ entry: { permission, left }, chosen, whenSelected }: WaitingCardProps) {
  const who = (
    <Link to="/s/$sessionId" params={{ sessionId: permission.sessionId }} hash={`e${permission.seq}`} className="approval-who">
      <VisibleLine text={permission.sessionTitle} />
    </Link>
  );
  return <ApprovalCard request={permission} chosen={chosen} who={who} left={left} whenSelected={whenSelected} />;
}
