import { foldHealth } from '../../domain/health/fold.ts';
import { foldReportedUsage } from '../../domain/health/fold-context.ts';
import type { HealthState } from '../../domain/health/state.ts';
import { inOrder } from '../../domain/merge-by-seq.ts';
import type { Event } from '../../protocol/event.ts';
import type { IndexedUsage } from '../store/index-store.ts';

/** How many tokens an agent's model can take, if known. */
export type WindowOf = (agent: string, model: string) => number | undefined;

/** Folds more events of a session, and the usage in its record. */
export function foldRecord(state: HealthState, agent: string, events: readonly Event[], spent: readonly IndexedUsage[], windowOf: WindowOf): HealthState {
  return inOrder(events, spent).reduce((now: HealthState, step) => {
    if (!('type' in step)) return foldReportedUsage(now, withWindow(step, agent, windowOf));
    return foldHealth(now, step.type === 'usage.reported' ? withWindow(step, agent, windowOf) : step);
  }, state);
}

type Measured = Pick<IndexedUsage, 'model' | 'contextTokens' | 'contextWindow'>;

/** Records don't state a context window. Use the model's, unless the context is already larger than that. */
function withWindow<T extends Measured>(spent: T, agent: string, windowOf: WindowOf): T {
  const { model, contextTokens, contextWindow } = spent;
  if (contextWindow !== undefined || contextTokens === undefined || model === undefined) return spent;
  const window = windowOf(agent, model);
  return window === undefined || contextTokens > window ? spent : { ...spent, contextWindow: window };
}
