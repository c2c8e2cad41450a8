import { Link } from '@tanstack/react-router';
import { VisibleLine } from '../../../base/ui/visible-text.tsx';
import { ApprovalCard, type Comes } from '../card/approval-card.tsx';
import type { Chosen } from '../selection/selection.ts';
import type { TrayEntry } from './waiting-cards.ts';

interface WaitingCardProps {
  readonly entry: TrayEntry;
  readonly chosen: Chosen | undefined;
  readonly comes: Comes;
}

/** A request outside of its session: the title leads to the place where the agent stands. */
export function WaitingCard({ entry: { permission, left }, chosen, comes }: WaitingCardProps) {
  const who = (
    <Link to="/s/$sessionId" params={{ sessionId: permission.sessionId }} hash={`e${permission.seq}`} className="approval-who">
      <VisibleLine text={permission.sessionTitle} />
    </Link>
  );
  return <ApprovalCard request={permission} chosen={chosen} who={who} left={left} comes={comes} />;
}
