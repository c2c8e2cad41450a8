import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Hit, HitList } from '../../../src/protocol/api/search.ts';
import { ApiError } from '../../client/http/api.ts';
import type { QueryParams, SessionListApi } from '../../client/http/session-list-api.ts';

export interface SearchState {
  /** The query that the hits belong to. */
  readonly question: QueryParams;
  readonly phase: 'nothing' | 'asking' | 'answered' | 'failed';
  readonly hits: readonly Hit[];
  readonly total: number;
  readonly hasMore: boolean;
  /** False while sessions are still being indexed. */
  readonly isComplete: boolean;
  readonly cursor: string | undefined;
  readonly problem: string | undefined;
}

export interface SearchStore {
  readonly store: StoreApi<SearchState>;
  /** Only the last call counts: earlier requests are aborted. */
  ask(question: QueryParams): Promise<void>;
  more(): Promise<void>;
  close(): void;
}

const EMPTY: SearchState = { question: {}, phase: 'nothing', hits: [], total: 0, hasMore: false, isComplete: true, cursor: undefined, problem: undefined };
/** Hits per page. */
const PAGE = '50';

export function openSearch(api: Pick<SessionListApi, 'search'>): SearchStore {
  const store = createStore<SearchState>(() => EMPTY);
  let running = new AbortController();
  const restart = (): AbortSignal => {
    running.abort();
    running = new AbortController();
    return running.signal;
  };
  return {
    store,
    ask: (question) => ask(store, api, question, restart()),
    more: () => more(store, api, restart),
    close: () => running.abort(),
  };
}

async function ask(store: StoreApi<SearchState>, api: Pick<SessionListApi, 'search'>, question: QueryParams, signal: AbortSignal): Promise<void> {
  if (Object.keys(question).length === 0) return store.setState(EMPTY, true);
  // Old hits stay until the new ones arrive, so that nothing flickers while typing.
  store.setState({ phase: 'asking', problem: undefined });
  const answer = await answerOf(api, { ...question, limit: PAGE }, signal);
  if (signal.aborted) return;
  store.setState('problem' in answer ? { ...EMPTY, question, phase: 'failed', problem: answer.problem } : { question, ...resultOf(answer), hits: answer.hits });
}

async function more(store: StoreApi<SearchState>, api: Pick<SessionListApi, 'search'>, restart: () => AbortSignal): Promise<void> {
  const { question, cursor, hits, phase } = store.getState();
  if (cursor === undefined || phase === 'asking') return;
  const signal = restart();
  store.setState({ phase: 'asking' });
  const answer = await answerOf(api, { ...question, limit: PAGE, cursor }, signal);
  if (signal.aborted) return;
  store.setState('problem' in answer ? { phase: 'failed', problem: answer.problem } : { ...resultOf(answer), hits: [...hits, ...answer.hits] });
}

const resultOf = (answer: HitList): Omit<SearchState, 'question' | 'hits'> => ({
  phase: 'answered',
  total: answer.total,
  hasMore: answer.more,
  isComplete: answer.whole,
  cursor: answer.nextCursor,
  problem: undefined,
});

const answerOf = (api: Pick<SessionListApi, 'search'>, question: QueryParams, signal: AbortSignal): Promise<HitList | { readonly problem: string }> =>
  api.search(question, signal).catch((error: unknown) => ({
    problem: error instanceof ApiError ? error.message : 'The server sent an unexpected answer. Reload the page.',
  }));
