import type { PlanState } from '../../../../../src/protocol/api/plan.ts';
import { VisibleLine, VisibleText } from '../../../../base/ui/visible-text.tsx';
import { Ago } from '../../../../parts/common/ago.tsx';
import { type OpenForm, usePlanPage } from '../steps/plan-context.ts';
import { BudgetMeters } from './budget-meters.tsx';
import { GateList } from './gate-list.tsx';
import { GenerationCard } from './generation-card.tsx';
import { ProposalList } from './proposal-list.tsx';

interface PlanOverviewProps {
  /** The proposal that is drawn in the graph. */
  readonly shownProposal: string | undefined;
  readonly onShowProposal: (id: string | undefined) => void;
}

/** What waits for people: first on a phone, first beside the graph. */
export function PlanAttention({ shownProposal, onShowProposal }: PlanOverviewProps) {
  const { plan, openForm, mayAct } = usePlanPage();
  const { paused, nodes, gates, proposals, generations } = plan;
  const isStopped = paused !== undefined && paused.reason !== 'person';
  if (!isStopped && gates.length + proposals.length + generations.length === 0 && nodes.length > 0) return null;
  return (
    <div className="plan-attention">
      {isStopped && (
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
      <GenerationCard />
      <GateList />
      <ProposalList shown={shownProposal} onShow={onShowProposal} />
      {nodes.length === 0 && <NoSteps plan={plan} onOpen={mayAct ? openForm : undefined} />}
    </div>
  );
}

/** What the plan is for, where it works, and what it may spend. */
export function PlanData() {
  const { plan, agentTitle } = usePlanPage();
  const { head, cwd, branch, base, repo } = plan;
  return (
    <section className="step-details" aria-label="The plan">
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
        {Object.keys(head.budget ?? {}).length === 0 && (
          <>
            <dt>Budget</dt>
            <dd>no limit</dd>
          </>
        )}
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

function NoSteps({ plan, onOpen }: { readonly plan: PlanState; readonly onOpen: ((form: OpenForm) => void) | undefined }) {
  const isPlanning = plan.generations.some(({ outcome }) => outcome === undefined);
  if (isPlanning) return null;
  return (
    <div className="plan-no-steps">
      <p>{plan.status === 'draft' ? 'No steps yet. Nothing runs until you press Start.' : 'No steps.'}</p>
      {onOpen !== undefined && (
        <div className="step-buttons">
          <button type="button" className="button primary" onClick={() => onOpen({ kind: 'add', needs: [] })}>
            Add a step
          </button>
          <button type="button" className="button" onClick={() => onOpen({ kind: 'generate' })}>
            Generate from a task…
          </button>
        </div>
      )}
    </div>
  );
}
