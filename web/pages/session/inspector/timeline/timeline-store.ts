import { createStore, type StoreApi } from 'zustand/vanilla';
import type { SessionTimeline } from '../../../../../src/protocol/api/timeline.ts';
import type { SidesApi } from '../../../../client/http/inspector-api.ts';
import { latest, problemOf } from '../latest.ts';

export interface TimelineState {
  /** Undefined until it is known. */
  readonly timeline: SessionTimeline | undefined;
  readonly problem?: string | undefined;
}

export interface TimelineStore {
  readonly store: StoreApi<TimelineState>;
  refresh(): Promise<void>;
}

/** Between two questions about a session that goes on. */
const REST_MS = 500;

export function openTimeline(api: SidesApi): TimelineStore {
  const store = createStore<TimelineState>(() => ({ timeline: undefined }));
  const refresh = latest(async () => {
    await api.timeline().then(
      (timeline) => store.setState({ timeline, problem: undefined }),
      (error: unknown) => store.setState({ problem: problemOf(error) }),
    );
    await new Promise((resolve) => setTimeout(resolve, REST_MS));
  });
  return { store, refresh };
}
