import type { PlanState } from '../../../../../src/protocol/api/plan.ts';
import { VisibleLine, VisibleText } from '../../../../base/ui/visible-text.tsx';
import { Ago } from '../../../../parts/common/ago.tsx';
import { budgetText } from '../../../../parts/plans/op-text.ts';
import { usePlanPage } from '../plan-context.ts';
import { BudgetMeters } from './budget-meters.tsx';
import { GateList } from './gate-list.tsx';
import { ProposalList } from './proposal-list.tsx';

interface PlanOverviewProps {
  /** The proposal that is drawn in the graph. */
  readonly shownProposal: string | undefined;
  readonly onShowProposal: (id: string | undefined) => void;
}

/** The plan itself, beside the graph while no step is chosen: what waits for people, what it is for, and what it may spend. */
export function PlanOverview({ shownProposal, onShowProposal }: PlanOverviewProps) {
  const { plan, agentTitle, openForm, mayAct } = usePlanPage();
  const { head, cwd, branch, base, repo, paused } = plan;
  return (
    <section className="step-details plan-overview" aria-label="The plan">
      {paused !== undefined && paused.reason !== 'person' && (
        <p className="plan-paused">
          <strong>{PAUSES[paused.reason]}</strong>
          {paused.words !== undefined && (
            <>
              {' '}
              <VisibleText text={paused.words} />
            </>
          )}
        </p>
      )}
      <GateList />
      <ProposalList shown={shownProposal} onShow={onShowProposal} />
      {plan.nodes.length === 0 && <NoSteps plan={plan} onAdd={mayAct ? () => openForm({ kind: 'add', needs: [] }) : undefined} />}
      {head.goal !== undefined && head.goal !== '' && (
        <p className="plan-goal">
          <VisibleText text={head.goal} />
        </p>
      )}
      <BudgetMeters plan={plan} />
      <dl className="plan-data">
        <dt>Folder</dt>
        <dd className="mono">
          <VisibleLine text={cwd} />
        </dd>
        {(repo?.branch ?? branch) !== undefined && (
          <>
            <dt>Branch</dt>
            <dd className="mono">
              <VisibleLine text={`${repo?.branch ?? branch}`} />
              {(repo?.base ?? base) !== undefined && <span className="quiet"> from {repo?.base ?? base}</span>}
            </dd>
          </>
        )}
        <dt>Agent</dt>
        <dd>{agentTitle(head.defaults?.agent)}</dd>
        <dt>Steps at once</dt>
        <dd>{head.parallel ?? 2}</dd>
        <dt>Budget</dt>
        <dd>{budgetText(head.budget ?? {})}</dd>
        <dt>Created</dt>
        <dd>
          <Ago at={plan.createdAt} />
          {plan.createdBy !== undefined && ` by ${plan.createdBy.name}`}
        </dd>
      </dl>
    </section>
  );
}

const PAUSES: Readonly<Record<NonNullable<PlanState['paused']>['reason'], string>> = {
  person: 'Paused.',
  budget: 'Paused: the budget is used up.',
};

function NoSteps({ plan, onAdd }: { readonly plan: PlanState; readonly onAdd: (() => void) | undefined }) {
  return (
    <div className="plan-no-steps">
      <p>{plan.status === 'draft' ? 'No steps yet. Nothing runs until you press Start.' : 'No steps.'}</p>
      {onAdd !== undefined && (
        <button type="button" className="button primary" onClick={onAdd}>
          Add a step
        </button>
      )}
    </div>
  );
}
