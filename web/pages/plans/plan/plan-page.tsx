import { getRouteApi } from '@tanstack/react-router';
import { type ReactNode, Suspense, useCallback, useMemo, useRef, useState } from 'react';
import { exhausted } from '../../../../src/domain/plan/budget.ts';
import type { GraphProblem } from '../../../../src/domain/plan/graph.ts';
import type { PlanNodeState, PlanState } from '../../../../src/protocol/api/plan.ts';
import type { PlanNode } from '../../../../src/protocol/plan.ts';
import { useActions } from '../../../base/actions/actions-context.ts';
import { lazily } from '../../../base/browser/lazily.ts';
import { useMedia } from '../../../base/browser/use-media.ts';
import { NotFound } from '../../../base/ui/not-found.tsx';
import type { PlanSearch, PlanView } from '../../../parts/address/plan-address.ts';
import { planSign } from '../../../parts/plans/signs.ts';
import { useApp } from '../../../store/cockpit-context.ts';
import { StepDetails } from './details/step-details.tsx';
import { ChangeBar } from './edit/change-bar.tsx';
import { useDraftOps } from './edit/use-draft-ops.ts';
import { PlanAttention, PlanData } from './overview/plan-overview.tsx';
import { PlanHead } from './plan-head.tsx';
import { inOrder } from './rails/rails.ts';
import { RailsList } from './rails/rails-list.tsx';
import { drawPlan, isRefused, type Preview, previewOf } from './steps/drawing.ts';
import { type OpenForm, PlanContext, type PlanPageContext } from './steps/plan-context.ts';
import type { Drawing, StepView } from './steps/step-view.ts';
import { stepViews } from './steps/views.ts';
import { type OpenPlan, usePlan } from './use-plan.ts';
import './plan.css';

const GraphView = lazily(() => import('./graph/graph-view.tsx'));
const Board = lazily(() => import('./board/board.tsx'));
const PlanForms = lazily(() => import('./edit/plan-forms.tsx'));

const route = getRouteApi('/plans/$planId');

/** One plan: its steps as a graph or a list, and the chosen step beside them. */
export default function PlanPage() {
  const { planId } = route.useParams();
  const open = usePlan(planId);
  if (open.isMissing) return <NotFound />;
  if (open.plan !== undefined) return <OpenedPlan key={planId} open={open} plan={open.plan} />;
  return (
    <main className="plan-page">
      <header className="page-head">
        <h1>Plan</h1>
      </header>
      <div className="plan-loading">
        <p className="quiet">Loading…</p>
      </div>
    </main>
  );
}

/** Below this width the steps are a list, and details cover it. The style sheet has the same. */
const NARROW = '(max-width: 900px)';
const WIDE_VIEWS: readonly (readonly [PlanView, string])[] = [
  ['graph', 'Graph'],
  ['list', 'List'],
  ['board', 'Board'],
];

function OpenedPlan({ open: { api }, plan }: { readonly open: OpenPlan; readonly plan: PlanState }) {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const isNarrow = useMedia(NARROW);
  const mayAct = useApp(({ you }) => you !== undefined && you.role !== 'viewer');
  const agentTitle = useAgentTitle();
  const steps = useSteps(plan, agentTitle);
  const draft = useDraftOps(plan.id);
  const [form, openForm] = useState<OpenForm>();
  const go = (part: PlanSearch) => void navigate({ search: { ...search, ...part }, replace: true });
  // Going from one step to the next is not a step back to go.
  const choose = useCallback(
    (step: string | undefined) => {
      void navigate({ search: (now) => withoutUndefined({ ...now, step }), replace: step !== undefined && new URLSearchParams(location.search).has('step') });
    },
    [navigate],
  );
  const shownProposal = plan.proposals.find(({ proposalId, outcome }) => proposalId === search.proposal && outcome === undefined);
  const ops = shownProposal?.ops ?? draft.ops;
  const preview = useMemo(() => (ops.length === 0 ? undefined : previewOf(plan, steps, ops, agentTitle)), [plan, steps, ops, agentTitle]);
  const asIs = useMemo(() => drawPlan(plan, steps), [plan, steps]);
  const drawing = preview === undefined || isRefused(preview) ? asIs : preview.drawing;
  const context = useMemo((): PlanPageContext => {
    const titles = new Map(
      [...plan.nodes, ...(preview === undefined || isRefused(preview) ? [] : preview.nodes)].map(({ id, title }) => [id as string, title]),
    );
    return { plan, api, mayAct, agentTitle, titleOf: (id) => titles.get(id) ?? id, choose, change: draft.add, openForm };
  }, [plan, api, mayAct, agentTitle, preview, choose, draft]);
  useListKeys(drawing, search.step, choose);
  useActions({
    'plan.graph': isNarrow ? undefined : () => go({ view: 'graph' }),
    'plan.list': isNarrow ? undefined : () => go({ view: 'list' }),
    'plan.board': isNarrow ? undefined : () => go({ view: 'board' }),
  });
  const view = isNarrow ? 'list' : (search.view ?? 'graph');
  const { node, isNew } = chosenIn(plan, nodesOf(plan, preview), search.step);
  const stepView = drawing.steps.find(({ id }) => id === search.step);
  const sign = planSign({
    status: plan.status,
    waiting: plan.gates.length + plan.proposals.filter(({ outcome }) => outcome === undefined).length,
    isOutOfBudget: exhausted(plan).length > 0,
  });
  const attention = (
    <PlanAttention
      shownProposal={shownProposal?.proposalId}
      onShowProposal={(proposal) => void navigate({ search: withoutUndefined({ ...search, proposal }), replace: true })}
    />
  );
  return (
    <PlanContext value={context}>
      <main className={node === undefined ? 'plan-page' : 'plan-page has-step'}>
        <PlanHead plan={plan} sign={sign} view={view} views={isNarrow ? [] : WIDE_VIEWS} onView={(next) => go({ view: next })} />
        <div className="plan-body">
          {isNarrow && node === undefined && attention}
          <div className="plan-main">
            <Steps
              view={view}
              drawing={drawing}
              chosen={search.step}
              onChoose={choose}
              onInsert={mayAct && plan.status !== 'cancelled' ? (from, to) => openForm({ kind: 'between', from, to }) : undefined}
            />
          </div>
          <aside className="plan-side">
            {node !== undefined && stepView !== undefined ? (
              <StepDetails node={node} view={stepView} isNew={isNew} />
            ) : (
              <>
                {!isNarrow && attention}
                <PlanData />
              </>
            )}
          </aside>
        </div>
        {shownProposal === undefined && preview !== undefined && <ChangeBar ops={draft.ops} outcome={preview} onUndo={draft.undo} onClear={draft.clear} />}
        <Suspense>{form !== undefined && <PlanForms form={form} nodes={nodesOf(plan, preview)} onClose={() => openForm(undefined)} />}</Suspense>
      </main>
    </PlanContext>
  );
}

const withoutUndefined = ({ view, step, proposal }: { readonly [key in keyof PlanSearch]: PlanSearch[key] | undefined }): PlanSearch => ({
  ...(view !== undefined && { view }),
  ...(step !== undefined && { step }),
  ...(proposal !== undefined && { proposal }),
});

const nodesOf = (plan: PlanState, preview: Preview | GraphProblem | undefined) => (preview === undefined || isRefused(preview) ? plan.nodes : preview.nodes);

/** The chosen step: one of the plan, or one that a change would add. */
function chosenIn(plan: PlanState, after: readonly PlanNode[], id: string | undefined): { readonly node: PlanNodeState | undefined; readonly isNew: boolean } {
  const known = plan.nodes.find((one) => one.id === id);
  const added = after.find((one) => one.id === id);
  if (known !== undefined || added === undefined) return { node: known, isNew: false };
  return { node: { ...added, status: 'pending', attempts: [] }, isNew: true };
}

interface StepsProps {
  readonly view: PlanView;
  readonly drawing: Drawing;
  readonly chosen: string | undefined;
  readonly onChoose: (id: string | undefined) => void;
  readonly onInsert: ((from: string, to: string) => void) | undefined;
}

function Steps({ view, drawing, chosen, onChoose, onInsert }: StepsProps): ReactNode {
  if (drawing.steps.length === 0) return null;
  const list = <RailsList drawing={drawing} chosen={chosen} onChoose={onChoose} />;
  if (view === 'list') return list;
  return (
    <Suspense fallback={<p className="quiet plan-loading">Loading…</p>}>
      {view === 'board' ? (
        <Board drawing={drawing} chosen={chosen} onChoose={onChoose} />
      ) : (
        <GraphView drawing={drawing} chosen={chosen} onChoose={onChoose} onInsert={onInsert && (({ from, to }) => onInsert(from, to))} />
      )}
    </Suspense>
  );
}

function useAgentTitle(): (id: string | undefined) => string {
  const agents = useApp((state) => state.agents);
  return useMemo(() => (id: string | undefined) => (id === undefined ? 'no agent' : (agents?.find((agent) => agent.id === id)?.title ?? id)), [agents]);
}

/** The same objects for steps that did not change. */
function useSteps(plan: PlanState, agentTitle: (id: string | undefined) => string): readonly StepView[] {
  const sessions = useApp((state) => state.sessions);
  const before = useRef<readonly StepView[]>([]);
  const steps = useMemo(() => stepViews(plan, { sessions, agentTitle }, before.current), [plan, sessions, agentTitle]);
  before.current = steps;
  return steps;
}

/** j and k go through the steps in the order of the list. */
function useListKeys({ steps }: Drawing, chosen: string | undefined, choose: (id: string | undefined) => void): void {
  const order = useMemo(() => inOrder(steps).map(({ id }) => id), [steps]);
  const at = chosen === undefined ? -1 : order.indexOf(chosen);
  const move = (by: 1 | -1) => () => choose(order[Math.max(0, Math.min(order.length - 1, at + by))]);
  useActions({
    'list.next': move(1),
    'list.previous': move(-1),
    'list.leave': chosen === undefined ? undefined : () => choose(undefined),
  });
}
