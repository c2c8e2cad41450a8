import { createStore, type StoreApi } from 'zustand/vanilla';
import type { RawLine, RawPage, RawRun, RawSide } from '../../../../../src/protocol/api/raw.ts';
import type { InspectorApi, RawParams } from '../../../../client/http/inspector-api.ts';
import { errorText, oneAtATime } from '../../../../parts/common/one-at-a-time.ts';

/** More lines are not kept: the ones farthest from view are dropped, and loaded again when somebody scrolls there. */
export const MAX_LINES = 4000;
/** Pause between two reads of a growing file. */
const REST_MS = 300;

export interface RawState {
  readonly runs: readonly RawRun[];
  readonly source: RawPage['source'] | undefined;
  readonly run: string | undefined;
  readonly side: RawSide;
  /** Undefined until the first page is loaded. */
  readonly lines: readonly RawLine[] | undefined;
  readonly before: number | undefined;
  readonly after: number;
  readonly more: boolean;
  readonly problem?: string | undefined;
}

export interface RawStore {
  readonly store: StoreApi<RawState>;
  open(): Promise<void>;
  older(): Promise<void>;
  newer(): Promise<void>;
}

/** The lines of one run or of the session file, starting at the end. */
export function openRaw(api: InspectorApi, wanted: Pick<RawParams, 'run' | 'side'>): RawStore {
  const store = createStore<RawState>(() => ({
    runs: [],
    source: undefined,
    run: undefined,
    side: 'out',
    lines: undefined,
    before: undefined,
    after: 0,
    more: false,
  }));
  const ask = async (question: RawParams, take: (state: RawState, page: RawPage) => RawState) => {
    try {
      const page = await api.raw({ ...wanted, ...question });
      store.setState((state) => ({ ...take(state, page), runs: page.runs, source: page.source, run: page.run, side: page.side, problem: undefined }));
    } catch (error) {
      store.setState({ problem: errorText(error) });
    }
  };
  const older = oneAtATime(async () => {
    const { before } = store.getState();
    if (before !== undefined) await ask({ before: String(before) }, withOlder);
  });
  const newer = oneAtATime(async () => {
    const { after, lines } = store.getState();
    if (lines !== undefined) await ask({ after: String(after) }, withNewer);
    await new Promise((resolve) => setTimeout(resolve, REST_MS));
  });
  return { store, older, newer, open: () => ask({}, (state, { lines, before, after, more }) => ({ ...state, lines, before, after, more })) };
}

export function withOlder(state: RawState, { lines, before, source }: RawPage): RawState {
  const first = state.lines?.[0]?.place ?? Number.POSITIVE_INFINITY;
  const all = [...lines.filter(({ place }) => place < first), ...(state.lines ?? [])];
  const kept = all.slice(0, MAX_LINES);
  const next = all[MAX_LINES];
  if (next === undefined) return { ...state, lines: all, before };
  // Runs are paged by the first byte to read, session files by the last event read.
  return { ...state, lines: kept, before, more: true, after: source === 'run' ? next.place : (kept.at(-1)?.place ?? state.after) };
}

/** An incomplete last line comes again, longer. */
export function withNewer(state: RawState, { lines, after, more }: RawPage): RawState {
  const first = lines[0]?.place ?? Number.POSITIVE_INFINITY;
  const all = [...(state.lines ?? []).filter(({ place }) => place < first), ...lines];
  const kept = all.slice(-MAX_LINES);
  return { ...state, lines: kept, after, more, before: kept.length < all.length ? kept[0]?.place : state.before };
}
