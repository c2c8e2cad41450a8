import { foldHealth } from '../../domain/health/fold.ts';
import { foldSpent } from '../../domain/health/fold-context.ts';
import type { HealthState } from '../../domain/health/state.ts';
import { inOrder } from '../../domain/in-order.ts';
import type { Event } from '../../protocol/event.ts';
import type { LibrarySpent } from '../store/index-store.ts';

/** How many tokens an agent's model holds, where that is known. */
export type WindowOf = (agent: string, model: string) => number | undefined;

/** Health after more events of a session, and what stands beside them in its record. */
export function foldRecord(state: HealthState, agent: string, events: readonly Event[], spent: readonly LibrarySpent[], windowOf: WindowOf): HealthState {
  return inOrder(events, spent).reduce((now: HealthState, step) => {
    if (!('type' in step)) return foldSpent(now, withWindow(step, agent, windowOf));
    return foldHealth(now, step.type === 'usage.reported' ? withWindow(step, agent, windowOf) : step);
  }, state);
}

type Measured = Pick<LibrarySpent, 'model' | 'contextTokens' | 'contextWindow'>;

/** A record tells no window: it is that of the model, unless more is in it than that could hold. */
function withWindow<T extends Measured>(spent: T, agent: string, windowOf: WindowOf): T {
  const { model, contextTokens, contextWindow } = spent;
  if (contextWindow !== undefined || contextTokens === undefined || model === undefined) return spent;
  const window = windowOf(agent, model);
  return window === undefined || contextTokens > window ? spent : { ...spent, contextWindow: window };
}
