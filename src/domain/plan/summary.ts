import type { PlanFile, PlanState, PlanSummary } from '../../protocol/api/plan.ts';
import { openProposals } from './decide.ts';
import { specOf } from './diff.ts';
import { agentOf } from './estimate.ts';

/** A plan as lists show it. */
export function summarizePlan(state: PlanState): PlanSummary {
  const { id, head, status, cwd, nodes, gates, spent, paused, createdAt, updatedAt, createdBy } = state;
  const counts: Record<string, number> = {};
  for (const node of nodes) counts[node.status] = (counts[node.status] ?? 0) + 1;
  const agents = new Set(nodes.flatMap((node) => (node.kind === undefined || node.kind === 'work' ? (agentOf(node, head) ?? []) : [])));
  return {
    id,
    title: head.title,
    status,
    cwd,
    agents: [...agents],
    nodes: nodes.length,
    counts,
    gates: gates.length,
    proposals: openProposals(state).length,
    spent,
    ...(head.budget !== undefined && { budget: head.budget }),
    ...(paused !== undefined && { paused: paused.reason }),
    createdAt,
    updatedAt,
    ...(createdBy !== undefined && { createdBy: createdBy.name }),
  };
}

/** What a plan is made of, to make it again elsewhere. */
export function fileOf({ head, base, branch, nodes }: PlanState, fullPrompt: (sha256: string) => string): PlanFile {
  return {
    signalboxPlan: 1,
    ...head,
    ...(base !== undefined && { base }),
    ...(branch !== undefined && { branch }),
    nodes: nodes.map(({ promptBlob, ...node }) => ({ ...specOf(node), ...(promptBlob !== undefined && { prompt: fullPrompt(promptBlob.sha256) }) })),
  };
}
