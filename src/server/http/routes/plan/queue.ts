import { lengthsToEnd } from '../../../../domain/plan/graph.ts';
import type { Engine } from '../../../../engine/engine.ts';
import type { PlanQueue, PlanState } from '../../../../protocol/api/plan.ts';

const SHOWN: ReadonlySet<string> = new Set(['running', 'waiting', 'ready']);

/** What runs, then what waits for a person, then what is next, of all plans; inside a plan the longest way to the end comes first. */
export function queueOf(engine: Pick<Engine, 'plans' | 'planWaits'>): PlanQueue {
  const open = engine.plans().filter(({ status }) => status === 'running' || status === 'paused');
  const nodes = open
    .flatMap((plan) => entriesOf(plan, engine))
    .sort((a, b) => ORDER.indexOf(a.status) - ORDER.indexOf(b.status) || a.since.localeCompare(b.since));
  const count = (status: string): number => nodes.filter((node) => node.status === status).length;
  return {
    nodes: nodes.map((node, index) => ({ ...node, position: index + 1 })),
    counts: { running: count('running'), ready: count('ready'), waiting: count('waiting') },
  };
}

const ORDER: readonly string[] = ['running', 'waiting', 'ready'];

function entriesOf(plan: PlanState, engine: Pick<Engine, 'planWaits'>): PlanQueue['nodes'] {
  const waits = engine.planWaits(plan.id);
  const lengths = lengthsToEnd(plan.nodes);
  return plan.nodes
    .filter(({ status }) => SHOWN.has(status))
    .sort((a, b) => (lengths.get(b.id) ?? 0) - (lengths.get(a.id) ?? 0))
    .map(({ id, title, status, attempts }) => {
      const waitsFor = waits[id];
      const since = attempts.at(-1)?.startedAt ?? plan.startedAt ?? plan.createdAt;
      return { planId: plan.id, planTitle: plan.head.title, nodeId: id, title, position: 0, status, since, ...(waitsFor !== undefined && { waitsFor }) };
    });
}
