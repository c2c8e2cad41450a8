import type { PlanNodeState, PlanState, WaitsFor } from '../../protocol/api/plan.ts';
import type { NodeId, NodeStatus } from '../../protocol/plan.ts';
import { exhausted } from './budget.ts';
import { agentOf } from './estimate.ts';
import { lengthsToEnd } from './graph.ts';

const PARALLEL = 2;

/** Facts about the world that decide whether a step can start. */
export interface ReadyFacts {
  /** By agent: when its usage limit resets. */
  readonly limits: ReadonlyMap<string, string>;
  readonly at: string;
}

/** What a step counts as, for steps that need it. */
const isOver = (status: NodeStatus | undefined): boolean => status === 'done' || status === 'skipped';

/** Sets which steps could start (`ready`) and which can't because a step before them failed (`blocked`). */
export function withStatuses(state: PlanState): PlanState {
  const byId = new Map(state.nodes.map((node) => [node.id, node]));
  const failed = new Map<NodeId, boolean>();
  const isBlocked = ({ id, needs }: PlanNodeState): boolean => {
    const known = failed.get(id);
    if (known !== undefined) return known;
    failed.set(id, false);
    const blocked = needs.some((need) => {
      const node = byId.get(need);
      return node !== undefined && (node.status === 'failed' || (isUnstarted(node.status) && isBlocked(node)));
    });
    failed.set(id, blocked);
    return blocked;
  };
  let isChanged = false;
  const nodes = state.nodes.map((node) => {
    if (!isUnstarted(node.status)) return node;
    const status = isBlocked(node) ? 'blocked' : node.needs.every((need) => isOver(byId.get(need)?.status)) ? 'ready' : 'pending';
    if (status === node.status) return node;
    isChanged = true;
    return { ...node, status } satisfies PlanNodeState;
  });
  return isChanged ? { ...state, nodes } : state;
}

const isUnstarted = (status: NodeStatus): boolean => status === 'pending' || status === 'ready' || status === 'blocked';

/** Steps that take one of the plan's places. One that waits at a gate takes none. */
const takesPlace = ({ status, kind }: PlanNodeState): boolean => status === 'running' && kind !== 'gate';

/** The steps to start now, the one with the longest way to the end first. */
export function startable(state: PlanState, facts: ReadyFacts): readonly PlanNodeState[] {
  if (state.status !== 'running' || exhausted(state).length > 0) return [];
  const { parallel = PARALLEL } = state.head;
  let free = parallel - state.nodes.filter(takesPlace).length;
  const chosen: PlanNodeState[] = [];
  for (const node of inOrder(state)) {
    if (node.kind === 'gate') chosen.push(node);
    else if (free > 0 && limitOf(state, node, facts) === undefined) {
      chosen.push(node);
      free -= 1;
    }
  }
  return chosen;
}

function inOrder(state: PlanState): readonly PlanNodeState[] {
  const lengths = lengthsToEnd(state.nodes);
  const order = new Map(state.nodes.map(({ id }, index) => [id, index]));
  return state.nodes
    .filter(({ status }) => status === 'ready')
    .sort((a, b) => (lengths.get(b.id) ?? 0) - (lengths.get(a.id) ?? 0) || (order.get(a.id) ?? 0) - (order.get(b.id) ?? 0));
}

export function limitOf({ head }: PlanState, node: PlanNodeState, { limits, at }: ReadyFacts): string | undefined {
  const agent = node.kind === 'command' ? undefined : agentOf(node, head);
  const until = agent === undefined ? undefined : limits.get(agent);
  return until !== undefined && until > at ? until : undefined;
}

/** Why a step that isn't started doesn't start; undefined if nothing keeps it. */
export function waitsBeforeStart(state: PlanState, node: PlanNodeState, facts: ReadyFacts): WaitsFor | undefined {
  if (state.status === 'draft') return { kind: 'plan', words: 'The plan has not been started.' };
  const open = node.needs.filter((need) => !isOver(state.nodes.find(({ id }) => id === need)?.status));
  if (open.length > 0) return { kind: 'needs', words: `Needs ${open.join(', ')}` };
  if (exhausted(state).length > 0) return { kind: 'plan', words: 'The budget is used up.' };
  if (state.status === 'paused') return { kind: 'plan', words: 'The plan is paused.' };
  const until = limitOf(state, node, facts);
  if (until !== undefined) return { kind: 'limit', words: `Usage limit of ${agentOf(node, state.head)}`, until };
  const { parallel = PARALLEL } = state.head;
  if (state.nodes.filter(takesPlace).length >= parallel) return { kind: 'parallel', words: `${parallel} steps run at once` };
  return undefined;
}
