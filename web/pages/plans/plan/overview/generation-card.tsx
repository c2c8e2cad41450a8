import { Link } from '@tanstack/react-router';
import { LampIcon } from '../../../../base/ui/lamp-icon.tsx';
import { VisibleText } from '../../../../base/ui/visible-text.tsx';
import { Ago } from '../../../../parts/common/ago.tsx';
import { useApp } from '../../../../store/cockpit-context.ts';
import { usePlanPage } from '../steps/plan-context.ts';

/** The latest session that turns a task into steps: while it works, and if it came to nothing. */
export function GenerationCard() {
  const { plan, agentTitle } = usePlanPage();
  const last = plan.generations.at(-1);
  const waits = useApp((state) => (last === undefined ? 0 : (state.sessions.get(last.sessionId)?.waiting ?? 0)) > 0);
  if (last === undefined || last.outcome === 'proposed') return null;
  const isFailed = last.outcome === 'failed';
  return (
    <div className="generation-card" role="status">
      <p className="attempt-line">
        <LampIcon shape={isFailed ? 'square' : waits ? 'diamond' : 'disc'} />
        <strong>
          {agentTitle(last.agent)} {isFailed ? 'made no steps' : waits ? 'needs you' : 'is planning…'}
        </strong>
        <Ago at={last.at} />
        <Link to="/s/$sessionId" params={{ sessionId: last.sessionId }}>
          Open the session
        </Link>
      </p>
      {last.problem !== undefined && (
        <p>
          <VisibleText text={last.problem} />
        </p>
      )}
    </div>
  );
}
