import { createStore, type StoreApi } from 'zustand/vanilla';
import type { UsageBy, UsageList } from '../../../src/protocol/api/usage.ts';
import { ApiError } from '../../client/http/api.ts';
import type { UsageApi } from '../../client/http/usage-api.ts';
import { daysOf, type Range } from './range.ts';

export type Spending = Readonly<Record<UsageBy, UsageList>>;

export interface UsageState {
  readonly range: Range;
  /** Undefined until loaded. */
  readonly spending: Spending | undefined;
  readonly problem: string | undefined;
}

export interface UsageStore {
  readonly store: StoreApi<UsageState>;
  /** Only the result of the last call counts. */
  choose(range: Range): Promise<void>;
  /** Reloads while sessions are still being imported. Returns a function that stops it. */
  follow(): () => void;
}

/** How often numbers that still grow are reloaded. */
const RELOAD_MS = 4000;

export function openUsage(api: UsageApi, now: () => number, from: Range = '30'): UsageStore {
  const store = createStore<UsageState>(() => ({ range: from, spending: undefined, problem: undefined }));
  let requests = 0;
  const choose = async (range: Range) => {
    const number = ++requests;
    store.setState({ range });
    const answer = await spendingOf(api, range, now());
    if (number === requests) store.setState(answer);
  };
  return { store, choose, follow: () => followed(store, () => choose(store.getState().range)) };
}

async function spendingOf(api: UsageApi, range: Range, now: number): Promise<Partial<UsageState>> {
  const ask = (by: UsageBy) => api.usage({ ...daysOf(range, now), by });
  try {
    const [day, model, project, agent] = await Promise.all([ask('day'), ask('model'), ask('project'), ask('agent')]);
    return { spending: { day, model, project, agent }, problem: undefined };
  } catch (error) {
    return { problem: error instanceof ApiError ? error.message : 'The server sent an unexpected answer. Reload the page.' };
  }
}

/** Complete numbers stay until somebody reloads; a failed request is retried too. */
function followed(store: StoreApi<UsageState>, ask: () => Promise<void>): () => void {
  let isOver = false;
  const again = async (): Promise<void> => {
    await ask();
    const { spending, problem } = store.getState();
    if (isOver || (spending?.day.whole && problem === undefined)) return;
    timer = setTimeout(() => void again(), RELOAD_MS);
  };
  let timer = setTimeout(() => void again(), 0);
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}
