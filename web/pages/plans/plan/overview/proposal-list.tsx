import { Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import type { PlanProposal } from '../../../../../src/protocol/api/plan.ts';
import { costText } from '../../../../base/text/format.ts';
import { VisibleLine, VisibleText } from '../../../../base/ui/visible-text.tsx';
import type { ListedProposal } from '../../../../client/http/plan-api.ts';
import { newId } from '../../../../client/new-id.ts';
import { Ago } from '../../../../parts/common/ago.tsx';
import { Fold } from '../../../../parts/common/fold.tsx';
import { newSteps, opText } from '../../../../parts/plans/op-text.ts';
import { DiffWords } from '../edit/change-bar.tsx';
import { usePlanPage } from '../steps/plan-context.ts';
import { useAct } from '../steps/use-act.ts';

interface ProposalListProps {
  readonly shown: string | undefined;
  readonly onShow: (id: string | undefined) => void;
}

/** What agents want to change about the plan; and below, what was decided before. */
export function ProposalList({ shown, onShow }: ProposalListProps) {
  const { plan } = usePlanPage();
  const facts = useProposalFacts();
  const open = plan.proposals.filter(({ outcome }) => outcome === undefined);
  const decided = plan.proposals.filter(({ outcome }) => outcome !== undefined).toReversed();
  return (
    <>
      {open.map((proposal) => (
        <ProposalCard
          key={proposal.proposalId}
          proposal={proposal}
          facts={facts.get(proposal.proposalId)}
          isShown={shown === proposal.proposalId}
          onShow={onShow}
        />
      ))}
      {decided.length > 0 && (
        <Fold foldKey={`plan:${plan.id}:decided`} label={<span className="quiet">Decided proposals ({decided.length})</span>}>
          <ul className="decided-proposals">
            {decided.map(({ proposalId, outcome, reason, why, at }) => (
              <li key={proposalId}>
                <span className="quiet">{OUTCOMES[outcome ?? 'rejected']}</span> <VisibleText text={why} /> <Ago at={at} />
                {reason !== undefined && (
                  <p className="quiet">
                    <VisibleText text={reason} />
                  </p>
                )}
              </li>
            ))}
          </ul>
        </Fold>
      )}
    </>
  );
}

const OUTCOMES = { accepted: 'Accepted:', rejected: 'Rejected:', stale: 'No longer fit:' } as const;

/** What the server says about open proposals: their diff, their estimate, and whether they still fit. */
function useProposalFacts(): ReadonlyMap<string, ListedProposal> {
  const { plan, api } = usePlanPage();
  const [facts, setFacts] = useState<ReadonlyMap<string, ListedProposal>>(new Map());
  const open = plan.proposals.flatMap(({ proposalId, outcome }) => (outcome === undefined ? [proposalId] : [])).join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new revision may make one stale
  useEffect(() => {
    if (open === '') return;
    let isOld = false;
    api.proposals(plan.id).then(
      (list) => isOld || setFacts(new Map(list.map((one) => [one.proposalId, one]))),
      () => undefined,
    );
    return () => {
      isOld = true;
    };
  }, [api, plan.id, plan.revision, open]);
  return facts;
}

interface ProposalCardProps {
  readonly proposal: PlanProposal;
  readonly facts: ListedProposal | undefined;
  readonly isShown: boolean;
  readonly onShow: (id: string | undefined) => void;
}

function ProposalCard({ proposal: { proposalId, why, by, at, sessionId, ops }, facts, isShown, onShow }: ProposalCardProps) {
  const { plan, api, mayAct, titleOf } = usePlanPage();
  const { isBusy, problem, run } = useAct();
  const decide = (behavior: 'accept' | 'reject') =>
    void run(() => api.decideProposal(plan.id, proposalId, behavior, newId())).then((isDone) => isDone && isShown && onShow(undefined));
  const steps = newSteps(ops);
  return (
    <article className="proposal-card" aria-label="Proposed change">
      <p className="proposal-head">
        <strong>Proposed change</strong>
        {facts?.diff !== undefined && <DiffWords diff={facts.diff} />}
      </p>
      <p className="proposal-why">
        <VisibleText text={why} />
      </p>
      <ul className="proposal-ops">
        {ops.map((op, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the operations of a proposal never change
          <li key={index}>
            <VisibleLine text={opText(op, titleOf)} />
          </li>
        ))}
      </ul>
      {steps.length > 0 && (
        <Fold foldKey={`plan:${plan.id}:${proposalId}`} label={<span className="quiet">What the new steps would be asked</span>}>
          {steps.map((step) => (
            <div key={step.id} className="attempt-input">
              <h4>
                <VisibleLine text={step.title} />
              </h4>
              <pre className="step-text">
                <VisibleText text={step.prompt} />
              </pre>
            </div>
          ))}
        </Fold>
      )}
      <p className="quiet">
        {sessionId === undefined ? (
          by
        ) : (
          <Link to="/s/$sessionId" params={{ sessionId }}>
            {by}
          </Link>
        )}{' '}
        · <Ago at={at} />
        {estimateText(facts)}
      </p>
      {facts?.stale !== undefined && <p className="form-problem">{facts.stale}</p>}
      {problem !== '' && (
        <p className="form-problem" role="alert">
          {problem}
        </p>
      )}
      <div className="step-buttons">
        {mayAct && (
          <>
            <button type="button" className="button primary" disabled={isBusy} onClick={() => decide('accept')}>
              Accept
            </button>
            <button type="button" className="button" disabled={isBusy} onClick={() => decide('reject')}>
              Reject
            </button>
          </>
        )}
        <button type="button" className="button plain" aria-pressed={isShown} onClick={() => onShow(isShown ? undefined : proposalId)}>
          {isShown ? 'Hide in the graph' : 'Show in the graph'}
        </button>
      </div>
    </article>
  );
}

/** From what this plan's finished steps cost. */
function estimateText(facts: ListedProposal | undefined): string {
  const { usd, minutes } = facts?.estimate ?? {};
  const parts = [...(usd === undefined || usd === 0 ? [] : [costText(usd)]), ...(minutes === undefined || minutes < 1 ? [] : [`${Math.round(minutes)} min`])];
  return parts.length === 0 ? '' : ` · about ${parts.join(' and ')} more`;
}
