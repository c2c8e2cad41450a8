import type { PlanNodeState, PlanState, Spent } from '../../../../../src/protocol/api/plan.ts';
import type { Session } from '../../../../../src/protocol/session.ts';
import { stepSign } from '../../../../parts/plans/signs.ts';
import type { StepView } from './step-view.ts';

/** What a step's state depends on besides the plan. */
export interface StepFactsOf {
  readonly sessions: ReadonlyMap<string, Session>;
  readonly agentTitle: (id: string | undefined) => string;
}

/** The steps as they are drawn. Views of steps that did not change are those of `before`. */
export function stepViews(plan: PlanState, facts: StepFactsOf, before: readonly StepView[] = []): readonly StepView[] {
  const known = new Map(before.map((view) => [view.id, view]));
  const views = plan.nodes.map((node) => {
    const view = viewOf(plan, node, facts);
    const old = known.get(node.id);
    return old !== undefined && JSON.stringify(old) === JSON.stringify(view) ? old : view;
  });
  return views.length === before.length && views.every((view, at) => view === before[at]) ? before : views;
}

function viewOf({ head }: PlanState, node: PlanNodeState, { sessions, agentTitle }: StepFactsOf): StepView {
  const { id, title, needs, kind = 'work', status, attempts, group } = node;
  const last = attempts.at(-1);
  const session = last === undefined ? undefined : sessions.get(last.sessionId);
  const { usd, ms, unknown } = spentOn(node);
  return {
    id,
    title,
    needs,
    kind,
    sign: stepSign(status, session),
    by: BY[kind] ?? agentTitle(node.agent ?? head.defaults?.agent),
    group,
    usd: unknown && usd === 0 ? undefined : usd,
    ms,
    runningSince: status === 'running' && last !== undefined && kind !== 'gate' ? Date.parse(last.startedAt) : undefined,
    attempts: attempts.length,
    waits: waitsText(node, session),
    isDone: status === 'done' || status === 'skipped',
  };
}

const BY: Readonly<Partial<Record<StepView['kind'], string>>> = { command: 'command', gate: 'gate' };

/** What all attempts of a step cost. */
export const spentOn = ({ attempts }: PlanNodeState): Spent =>
  attempts.reduce<Spent>(
    (sum, { spent }) => ({ usd: sum.usd + spent.usd, turns: sum.turns + spent.turns, ms: sum.ms + spent.ms, unknown: sum.unknown || spent.unknown }),
    { usd: 0, turns: 0, ms: 0, unknown: false },
  );

function waitsText({ status, reason, attempts }: PlanNodeState, session: Session | undefined): string | undefined {
  if (status === 'failed') return reason;
  if (status !== 'running') return undefined;
  const phase = attempts.at(-1)?.phase;
  if (phase === 'reported' || phase === 'unverified') return 'Being checked';
  if (phase === 'verified' || phase === 'conflict') return 'Being merged';
  return session?.placeInLine === undefined ? undefined : `Number ${session.placeInLine} in line for a free place`;
}
