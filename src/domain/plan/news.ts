import type { OpenGate, PlanGate, PlanNews, PlanState } from '../../protocol/api/plan.ts';
import { openProposals } from './decide.ts';
import { dependentsOf } from './graph.ts';
import { summarizePlan } from './summary.ts';

/** As long as the panel shows what a finished plan did. */
const RECENT_MS = 4 * 60 * 60_000;

/** Whether pages hear of this plan without asking: it is not over, something waits for a person, or it changed recently. */
export const isNews = ({ status, gates, proposals, updatedAt }: PlanState, now: number): boolean =>
  status === 'running' ||
  status === 'paused' ||
  gates.length > 0 ||
  proposals.some(({ outcome }) => outcome === undefined) ||
  Date.parse(updatedAt) > now - RECENT_MS;

/** A plan as pages show it that have not opened it. */
export function newsOf(state: PlanState): PlanNews {
  const { startedAt, endedAt, gates } = state;
  return {
    ...summarizePlan(state),
    ...(startedAt !== undefined && { startedAt }),
    ...(endedAt !== undefined && { endedAt }),
    openGates: gates.map((gate) => openGate(state, gate)),
    openProposals: openProposals(state).map(({ proposalId, why, by, at }) => ({ proposalId, why, by, at })),
  };
}

const openGate = (state: PlanState, gate: PlanGate): OpenGate => ({
  ...gate,
  title: state.nodes.find(({ id }) => id === gate.node)?.title ?? gate.node,
  backTo: backChoices(state, gate.node).map(({ id, title }) => ({ id, title })),
});

/** Where the work can be sent back to from a gate: the step itself if it works, then steps before it that were done, its own needs first. */
export function backChoices({ nodes }: Pick<PlanState, 'nodes'>, id: PlanGate['node']): PlanState['nodes'] {
  const node = nodes.find((one) => one.id === id);
  if (node === undefined) return [];
  const before = nodes.filter((one) => one.kind !== 'gate' && one.status !== 'running' && one.attempts.length > 0 && dependentsOf(nodes, one.id).has(id));
  const nearest = before.toSorted((a, b) => Number(node.needs.includes(b.id)) - Number(node.needs.includes(a.id)));
  return node.kind === 'gate' ? nearest : [node, ...nearest];
}
