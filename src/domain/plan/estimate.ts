import type { PlanEstimate, PlanState } from '../../protocol/api/plan.ts';
import type { PlanNode } from '../../protocol/plan.ts';

const MINUTE_MS = 60_000;

/** What these steps will probably cost: the average of this plan's finished attempts, of the same agent if there are any. */
export function estimate({ nodes, head }: Pick<PlanState, 'nodes' | 'head'>, added: readonly PlanNode[]): PlanEstimate {
  const done = nodes.flatMap((node) => node.attempts.filter(({ phase }) => phase === 'over').map(({ spent }) => ({ agent: agentOf(node, head), spent })));
  const work = added.filter(({ kind = 'work' }) => kind === 'work');
  let [usd, minutes] = [0, 0];
  for (const node of work) {
    const same = done.filter(({ agent }) => agent === agentOf(node, head));
    const like = same.length > 0 ? same : done;
    const known = like.filter(({ spent }) => !spent.unknown);
    minutes += average(like.map(({ spent }) => spent.ms)) / MINUTE_MS;
    usd += average(known.map(({ spent }) => spent.usd));
  }
  const isPriced = done.some(({ spent }) => !spent.unknown);
  return { from: done.length, ...(done.length > 0 && { minutes }), ...(isPriced && { usd }) };
}

export const agentOf = ({ agent }: Pick<PlanNode, 'agent'>, { defaults }: PlanState['head']): string | undefined => agent ?? defaults?.agent;

const average = (values: readonly number[]): number => (values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length);
