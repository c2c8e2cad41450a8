import { createStore, type StoreApi } from 'zustand/vanilla';
import type { SessionHealth } from '../../../src/protocol/api/health.ts';
import { ApiError } from '../../client/http/api.ts';
import type { HealthApi } from '../../client/http/health-api.ts';

export interface HealthState {
  /** Undefined until loaded. */
  readonly health: SessionHealth | undefined;
  readonly problem: string | undefined;
}

export interface HealthStore {
  readonly store: StoreApi<HealthState>;
  load(sessionId: string): Promise<void>;
}

export function openHealth(api: HealthApi): HealthStore {
  const store = createStore<HealthState>(() => ({ health: undefined, problem: undefined }));
  return {
    store,
    load: (sessionId) =>
      api.health(sessionId).then(
        (health) => store.setState({ health, problem: undefined }),
        (error: unknown) => store.setState({ problem: error instanceof ApiError ? error.message : 'Couldn’t load the health of this session. Try again.' }),
      ),
  };
}
