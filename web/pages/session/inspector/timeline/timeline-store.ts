import { createStore, type StoreApi } from 'zustand/vanilla';
import type { SessionTimeline } from '../../../../../src/protocol/api/timeline.ts';
import type { InspectorApi } from '../../../../client/http/inspector-api.ts';
import { errorText, oneAtATime } from '../../../../parts/common/one-at-a-time.ts';

export interface TimelineState {
  /** Undefined until loaded. */
  readonly timeline: SessionTimeline | undefined;
  readonly problem?: string | undefined;
}

export interface TimelineStore {
  readonly store: StoreApi<TimelineState>;
  refresh(): Promise<void>;
}

/** Pause between two reloads of an active session. */
const REST_MS = 500;

export function openTimeline(api: InspectorApi): TimelineStore {
  const store = createStore<TimelineState>(() => ({ timeline: undefined }));
  const refresh = oneAtATime(async () => {
    await api.timeline().then(
      (timeline) => store.setState({ timeline, problem: undefined }),
      (error: unknown) => store.setState({ problem: errorText(error) }),
    );
    await new Promise((resolve) => setTimeout(resolve, REST_MS));
  });
  return { store, refresh };
}
