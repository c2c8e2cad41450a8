import type { PlanNews, PlanSummary } from '../../../../src/protocol/api/plan.ts';
import type { PlansSearch } from '../../../parts/address/plan-address.ts';

/** The loaded list with what changed since, latest first. */
export function plansWithNews(loaded: readonly PlanSummary[], news: ReadonlyMap<string, PlanNews>): readonly PlanSummary[] {
  const byId = new Map<string, PlanSummary>(loaded.map((plan) => [plan.id, plan]));
  for (const plan of news.values()) {
    const known = byId.get(plan.id);
    if (known === undefined || known.updatedAt <= plan.updatedAt) byId.set(plan.id, plan);
  }
  return [...byId.values()].sort((a, b) => b.updatedAt.localeCompare(a.updatedAt));
}

export const plansMatching = (plans: readonly PlanSummary[], { status, agent, project }: PlansSearch): readonly PlanSummary[] =>
  plans.filter((plan) => isAny(status, plan.status) && (agent === undefined || agent === '' || plan.agents.includes(agent)) && isAny(project, plan.cwd));

const isAny = (wished: string | undefined, value: string): boolean => wished === undefined || wished === '' || wished === value;

/** The folders of all plans, for a filter. */
export const projectsOf = (plans: readonly PlanSummary[]): readonly (readonly [string, string])[] =>
  [...new Set(plans.map(({ cwd }) => cwd))].sort().map((cwd) => [cwd, cwd.split('/').at(-1) || cwd]);
