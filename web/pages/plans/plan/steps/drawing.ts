import { diffPlans } from '../../../../../src/domain/plan/diff.ts';
import { criticalPath, type GraphProblem } from '../../../../../src/domain/plan/graph.ts';
import { applyOps, isProblem, startedNodes } from '../../../../../src/domain/plan/ops.ts';
import type { PlanDiff, PlanState } from '../../../../../src/protocol/api/plan.ts';
import type { PlanNode, PlanOp } from '../../../../../src/protocol/plan.ts';
import { type Drawing, lineId, type Mark, type StepView } from './step-view.ts';

/** A plan as it is. A path of one step, or one that is the whole plan, says nothing. */
export function drawPlan({ nodes }: PlanState, steps: readonly StepView[]): Drawing {
  const path = criticalPath(nodes);
  return { steps, marks: NONE, lineMarks: NONE, critical: path.length < 2 || path.length === nodes.length ? new Set() : new Set(path) };
}

const NONE = new Map<string, never>();

export interface Preview {
  readonly diff: PlanDiff;
  /** The steps afterwards. */
  readonly nodes: readonly PlanNode[];
  readonly drawing: Drawing;
}

/** What these changes would make of the plan, drawn over it; or what is wrong with the first that doesn't work. */
export function previewOf(
  plan: PlanState,
  steps: readonly StepView[],
  ops: readonly PlanOp[],
  agentTitle: (id: string | undefined) => string,
): Preview | GraphProblem {
  const after = applyOps({ head: plan.head, nodes: plan.nodes }, ops, startedNodes(plan));
  if (isProblem(after)) return after;
  const diff = diffPlans({ head: plan.head, nodes: plan.nodes }, after);
  const views = new Map(steps.map((step) => [step.id, step]));
  const kept = after.nodes.map((node) => changedView(node, views.get(node.id), agentTitle(node.agent ?? after.head.defaults?.agent)));
  const removed = diff.removed.flatMap((id) => views.get(id) ?? []);
  const drawn = [...kept, ...removed].map((step): StepView => ({ ...step, needs: union(step.needs, views.get(step.id)?.needs) }));
  return {
    diff,
    nodes: after.nodes,
    drawing: { steps: drawn, marks: marksOf(diff), lineMarks: lineMarksOf(plan.nodes, after.nodes), critical: new Set() },
  };
}

export const isRefused = (value: Preview | GraphProblem): value is GraphProblem => 'message' in value;

function changedView(node: PlanNode, known: StepView | undefined, agent: string): StepView {
  const { id, title, needs, kind = 'work', group } = node;
  const by = kind === 'work' ? agent : kind;
  if (known !== undefined) return { ...known, title, needs, kind, group, by };
  return {
    id,
    title,
    needs,
    kind,
    by,
    group,
    sign: { shape: 'dotted', word: 'pending' },
    usd: undefined,
    ms: 0,
    runningSince: undefined,
    attempts: 0,
    waits: undefined,
    isDone: false,
  };
}

function marksOf({ added, removed, edited, rewired }: PlanDiff): ReadonlyMap<string, Mark> {
  return new Map<string, Mark>([
    ...rewired.map(({ node }) => [node, 'rewired'] as const),
    ...edited.map(({ node }) => [node, 'edited'] as const),
    ...removed.map((id) => [id, 'removed'] as const),
    ...added.map(({ id }) => [id, 'added'] as const),
  ]);
}

function lineMarksOf(before: readonly PlanNode[], after: readonly PlanNode[]): ReadonlyMap<string, 'added' | 'removed'> {
  const [old, now] = [linesOf(before), linesOf(after)];
  return new Map<string, 'added' | 'removed'>([
    ...[...now].filter((id) => !old.has(id)).map((id) => [id, 'added'] as const),
    ...[...old].filter((id) => !now.has(id)).map((id) => [id, 'removed'] as const),
  ]);
}

const linesOf = (nodes: readonly PlanNode[]): ReadonlySet<string> => new Set(nodes.flatMap(({ id, needs }) => needs.map((need) => lineId(need, id))));

const union = (a: readonly string[], b: readonly string[] = []): readonly string[] => [...new Set([...a, ...b])];
