import type { PlanNews, PlanState } from '../../protocol/api/plan.ts';
import { openProposals } from './decide.ts';
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
    openGates: gates,
    openProposals: openProposals(state).map(({ proposalId, why, by, at }) => ({ proposalId, why, by, at })),
  };
}
