import { Link } from '@tanstack/react-router';
import type { PlanNodeState } from '../../../../../src/protocol/api/plan.ts';
import { LampIcon } from '../../../../base/ui/lamp-icon.tsx';
import { VisibleLine, VisibleText } from '../../../../base/ui/visible-text.tsx';
import { Fold } from '../../../../parts/common/fold.tsx';
import { usePlanPage } from '../steps/plan-context.ts';
import { Part } from './part.tsx';

/** The check of a step: what it is, and how it ended last. */
export function CheckResult({ node: { id, verify, fix, attempts } }: { readonly node: PlanNodeState }) {
  const { plan, agentTitle } = usePlanPage();
  const last = attempts.at(-1);
  const result = last?.verified;
  if (verify === undefined && result === undefined) return null;
  return (
    <Part title="Check">
      {verify !== undefined && (
        <p className="step-check">
          {'command' in verify ? (
            <code>
              <VisibleLine text={verify.command} />
            </code>
          ) : (
            `Reviewed by ${agentTitle(verify.agent)}`
          )}
          {fix !== undefined && <span className="quiet"> · up to {fix.max === 1 ? '1 fix round' : `${fix.max} fix rounds`}</span>}
        </p>
      )}
      {result !== undefined && (
        <>
          <p className={`step-checked state-${result.ok ? 'check' : 'square'}`}>
            <LampIcon shape={result.ok ? 'check' : 'square'} />
            <span>
              {result.ok ? 'Passed' : 'Failed'}
              {(last?.fixes ?? 0) > 0 && ` after ${last?.fixes === 1 ? '1 fix round' : `${last?.fixes} fix rounds`}`}
            </span>
            <Link to="/s/$sessionId" params={{ sessionId: result.sessionId }}>
              Session
            </Link>
          </p>
          {result.output !== '' && (
            <Fold foldKey={`plan:${plan.id}:${id}:check`} startsOpen={!result.ok} label={<span className="quiet">Output</span>}>
              {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
              <pre className="step-text" tabIndex={0}>
                <VisibleText text={result.output} />
              </pre>
            </Fold>
          )}
        </>
      )}
    </Part>
  );
}
