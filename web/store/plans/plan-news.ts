import type { ServerFrame } from '../../../src/protocol/frame.ts';
import type { AppState } from '../state/app-state.ts';

type PlansFrame = Extract<ServerFrame, { type: 'plans' }>;

export function withPlans(state: AppState, { reset, plans, removed = [] }: PlansFrame): AppState {
  const next = new Map(reset === true ? [] : state.planNews);
  for (const id of removed) next.delete(id);
  for (const plan of plans) next.set(plan.id, plan);
  return { ...state, planNews: next };
}
