import { newPlan } from '../../../src/domain/plan/evolve.ts';
import { type PlanNodeState, PlanNodeState as PlanNodeStateSchema, type PlanState } from '../../../src/protocol/api/plan.ts';
import { PlanId } from '../../../src/protocol/plan.ts';

/** A step; without more, one that has not started. */
export const sampleStep = (id: string, needs: readonly string[] = [], more: object = {}): PlanNodeState =>
  PlanNodeStateSchema.parse({ id, title: `The ${id}`, prompt: `Do the ${id}`, needs, status: 'pending', attempts: [], ...more });

/** A draft with these steps. */
export const samplePlan = (nodes: readonly PlanNodeState[], more: Partial<PlanState> = {}): PlanState => ({
  ...newPlan(PlanId.parse('sample')),
  head: { title: 'Sample' },
  revision: 1,
  nodes: [...nodes],
  ...more,
});
