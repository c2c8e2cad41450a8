import { getRouteApi, Link } from '@tanstack/react-router';
import { ListOrdered, Plus } from 'lucide-react';
import { type FocusEvent, Suspense, useEffect, useMemo, useState } from 'react';
import type { PlanSummary } from '../../../../src/protocol/api/plan.ts';
import { useActions } from '../../../base/actions/actions-context.ts';
import { lazily } from '../../../base/browser/lazily.ts';
import { numberText } from '../../../base/text/format.ts';
import { Choice } from '../../../base/ui/filter-choice.tsx';
import { createPlanApi } from '../../../client/http/plan-api.ts';
import type { PlansSearch } from '../../../parts/address/plan-address.ts';
import { useApp } from '../../../store/cockpit-context.ts';
import { plansMatching, plansWithNews, projectsOf } from './plan-list.ts';
import { PlanRow } from './plan-row.tsx';
import '../../../parts/session-list/session-list.css';
import './plans.css';

const NewPlanDialog = lazily(() => import('./new-plan-dialog.tsx'));
const route = getRouteApi('/plans');

const STATUSES = [
  ['draft', 'Draft'],
  ['running', 'Running'],
  ['paused', 'Paused'],
  ['done', 'Done'],
  ['failed', 'Failed'],
  ['cancelled', 'Cancelled'],
] as const;

/** All plans. The address holds the filter. */
export default function PlansPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { plans, problem } = usePlans();
  const [isNew, setNew] = useState(false);
  const mayAct = useApp(({ you }) => you !== undefined && you.role !== 'viewer');
  const agents = useApp((state) => state.agents) ?? [];
  const change = (part: PlansSearch) => void navigate({ search: { ...search, ...part }, replace: true });
  const shown = useMemo(() => plansMatching(plans ?? [], search), [plans, search]);
  const selection = usePlanSelection(shown);
  useActions({ 'plan.new': mayAct ? () => setNew(true) : undefined });
  return (
    <main className="plans">
      <header className="page-head">
        <h1>Plans</h1>
        <p className="page-summary">{plans === undefined ? '' : numberText(shown.length)}</p>
        <span className="plans-acts">
          <Link to="/plans/queue" className="button">
            <ListOrdered size={14} aria-hidden="true" />
            Queue
          </Link>
          {mayAct && (
            <button type="button" className="button primary" onClick={() => setNew(true)}>
              <Plus size={14} aria-hidden="true" />
              New plan
            </button>
          )}
        </span>
      </header>
      <search className="filter-bar">
        <Choice label="Status" any="Any status" value={search.status ?? ''} options={STATUSES} onChange={(status) => change({ status })} />
        <Choice
          label="Agent"
          any="Any agent"
          value={search.agent ?? ''}
          options={agents.map(({ id, title }) => [id, title])}
          onChange={(agent) => change({ agent })}
        />
        <Choice label="Project" any="Any project" value={search.project ?? ''} options={projectsOf(plans ?? [])} onChange={(project) => change({ project })} />
      </search>
      <div className="plans-body" onFocusCapture={selection.onFocusCapture}>
        <div role="alert">{problem !== undefined && <p className="form-problem">{problem}</p>}</div>
        {plans === undefined && problem === undefined && <p className="quiet">Loading…</p>}
        {plans?.length === 0 && <NoPlans onNew={mayAct ? () => setNew(true) : undefined} />}
        {plans !== undefined && plans.length > 0 && shown.length === 0 && <p className="quiet">No matches</p>}
        <ul className="plan-list">
          {shown.map((plan) => (
            <PlanRow key={plan.id} plan={plan} isChosen={plan.id === selection.chosen} />
          ))}
        </ul>
      </div>
      <Suspense>{isNew && <NewPlanDialog plans={plans ?? []} onClose={() => setNew(false)} />}</Suspense>
    </main>
  );
}

/** Loaded once; from then on the server says what changed. */
function usePlans(): { readonly plans: readonly PlanSummary[] | undefined; readonly problem: string | undefined } {
  const [api] = useState(() => createPlanApi(document.baseURI));
  const [state, setState] = useState<{ readonly loaded?: readonly PlanSummary[]; readonly problem?: string }>({});
  const news = useApp((app) => app.planNews);
  const isConnected = useApp((app) => app.phase.name === 'open');
  // biome-ignore lint/correctness/useExhaustiveDependencies: after a time offline, everything may be different
  useEffect(() => {
    let isOld = false;
    api.list({}).then(
      (loaded) => isOld || setState({ loaded }),
      (error: unknown) => isOld || setState((before) => ({ ...before, problem: error instanceof Error ? error.message : String(error) })),
    );
    return () => {
      isOld = true;
    };
  }, [api, isConnected]);
  const { loaded, problem } = state;
  const plans = useMemo(() => loaded && plansWithNews(loaded, news), [loaded, news]);
  return { plans, problem };
}

/** One plan is selected; j, k and Tab move it, Enter opens it. */
function usePlanSelection(plans: readonly PlanSummary[]) {
  const [chosen, setChosen] = useState<string>();
  const navigate = route.useNavigate();
  const at = plans.findIndex(({ id }) => id === chosen);
  const move = (by: 1 | -1) => () => setChosen(plans[Math.max(0, Math.min(plans.length - 1, at + by))]?.id);
  const leave = () => {
    setChosen(undefined);
    document.querySelector<HTMLElement>('.plan-list :focus')?.blur();
  };
  useActions({
    'list.next': move(1),
    'list.previous': move(-1),
    'list.open': at === -1 || chosen === undefined ? undefined : () => void navigate({ to: '/plans/$planId', params: { planId: chosen } }),
    'list.leave': at === -1 ? undefined : leave,
  });
  const onFocusCapture = ({ target }: FocusEvent) => {
    const id = target.closest<HTMLElement>('[data-plan]')?.dataset.plan;
    if (id !== undefined) setChosen(id);
  };
  return { chosen, onFocusCapture };
}

function NoPlans({ onNew }: { readonly onNew: (() => void) | undefined }) {
  return (
    <section className="plans-empty">
      <h2>No plans yet</h2>
      <p>A plan is a graph of steps. Each step runs in a session of its own, on any agent, and hands a summary to the steps that need it.</p>
      {onNew !== undefined && (
        <button type="button" className="button primary" onClick={onNew}>
          New plan
        </button>
      )}
    </section>
  );
}
