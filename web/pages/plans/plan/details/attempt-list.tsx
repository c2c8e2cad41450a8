import { Link } from '@tanstack/react-router';
import type { Attempt, PlanNodeState } from '../../../../../src/protocol/api/plan.ts';
import { countText, durationText } from '../../../../base/text/format.ts';
import { lampOf } from '../../../../base/ui/lamp.ts';
import { LampIcon } from '../../../../base/ui/lamp-icon.tsx';
import { VisibleText } from '../../../../base/ui/visible-text.tsx';
import { Ago } from '../../../../parts/common/ago.tsx';
import { Fold } from '../../../../parts/common/fold.tsx';
import { FullTextLink } from '../../../../parts/common/full-text-link.tsx';
import { useApp } from '../../../../store/cockpit-context.ts';
import { costOf } from '../steps/cost-of.ts';
import { usePlanPage } from '../steps/plan-context.ts';
import { Part } from './part.tsx';

/** The sessions of a step, latest attempt first, with what their agents were sent. */
export function AttemptList({ node }: { readonly node: PlanNodeState }) {
  if (node.attempts.length === 0 || node.kind === 'gate') return null;
  return (
    <Part title={node.attempts.length === 1 ? 'Session' : 'Sessions'}>
      <ol className="attempts">
        {node.attempts.toReversed().map((attempt) => (
          <AttemptRow key={attempt.n} nodeId={node.id} attempt={attempt} isOnly={node.attempts.length === 1} />
        ))}
      </ol>
    </Part>
  );
}

interface AttemptRowProps {
  readonly nodeId: string;
  readonly attempt: Attempt;
  readonly isOnly: boolean;
}

function AttemptRow({ nodeId, attempt: { n, sessionId, startedAt, spent, inputs, merged }, isOnly }: AttemptRowProps) {
  const { plan } = usePlanPage();
  const session = useApp((state) => state.sessions.get(sessionId));
  const lamp = session === undefined ? undefined : lampOf(session);
  return (
    <li>
      <p className="attempt-line">
        {lamp !== undefined && <LampIcon shape={lamp.shape} />}
        <Link to="/s/$sessionId" params={{ sessionId }}>
          {isOnly ? 'Open the session' : `Attempt ${n}`}
        </Link>
        <span className="quiet">
          {lamp !== undefined && `${lamp.word} · `}
          {costOf(spent)}
          {spent.ms > 0 && ` · ${durationText(spent.ms)}`} · <Ago at={startedAt} />
        </span>
      </p>
      {merged !== undefined && (
        <p className="quiet">
          Merged as <code>{merged.slice(0, 8)}</code>
        </p>
      )}
      <Fold foldKey={`plan:${plan.id}:${nodeId}:${n}:inputs`} label={<span className="quiet">{countText(inputs.length, 'message')} sent</span>}>
        {inputs.map((input) => (
          <div key={input.n} className="attempt-input">
            <h4>{INPUTS[input.why]}</h4>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
            <pre className="step-text" tabIndex={0}>
              <VisibleText text={input.text} />
            </pre>
            <FullTextLink blob={input.blob} />
          </div>
        ))}
      </Fold>
    </li>
  );
}

const INPUTS: Readonly<Record<Attempt['inputs'][number]['why'], string>> = {
  start: 'The prompt, with the summaries of the steps it needs',
  'sent-back': 'Sent back',
  fix: 'The check failed',
  rebase: 'Its work conflicts with the plan’s branch',
  resume: 'Resumed',
  limit: 'Resumed after a usage limit',
  died: 'Resumed after its agent ended',
  time: 'More time',
};
