import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Hit, HitList } from '../../../src/protocol/api/search.ts';
import { ApiError } from '../../client/http/api.ts';
import type { LibraryApi, Question } from '../../client/http/session-list-api.ts';

export interface FinderState {
  /** What the hits answer. */
  readonly question: Question;
  readonly phase: 'nothing' | 'asking' | 'answered' | 'failed';
  readonly hits: readonly Hit[];
  readonly total: number;
  readonly hasMore: boolean;
  /** False while something is still being read. */
  readonly isWhole: boolean;
  readonly cursor: string | undefined;
  readonly problem: string | undefined;
}

export interface Finder {
  readonly store: StoreApi<FinderState>;
  /** Of several questions only the last one counts: the others are given up. */
  ask(question: Question): Promise<void>;
  more(): Promise<void>;
  close(): void;
}

const EMPTY: FinderState = { question: {}, phase: 'nothing', hits: [], total: 0, hasMore: false, isWhole: true, cursor: undefined, problem: undefined };
/** Hits of one answer. */
const PAGE = '50';

export function openFinder(api: Pick<LibraryApi, 'search'>): Finder {
  const store = createStore<FinderState>(() => EMPTY);
  let running = new AbortController();
  const begin = (): AbortSignal => {
    running.abort();
    running = new AbortController();
    return running.signal;
  };
  return {
    store,
    ask: (question) => ask(store, api, question, begin()),
    more: () => more(store, api, begin),
    close: () => running.abort(),
  };
}

async function ask(store: StoreApi<FinderState>, api: Pick<LibraryApi, 'search'>, question: Question, signal: AbortSignal): Promise<void> {
  if (Object.keys(question).length === 0) return store.setState(EMPTY, true);
  // The hits before stay until the new ones are there: nothing flickers while somebody types.
  store.setState({ phase: 'asking', problem: undefined });
  const answer = await answerOf(api, { ...question, limit: PAGE }, signal);
  if (signal.aborted) return;
  store.setState('problem' in answer ? { ...EMPTY, question, phase: 'failed', problem: answer.problem } : { question, ...told(answer), hits: answer.hits });
}

async function more(store: StoreApi<FinderState>, api: Pick<LibraryApi, 'search'>, begin: () => AbortSignal): Promise<void> {
  const { question, cursor, hits, phase } = store.getState();
  if (cursor === undefined || phase === 'asking') return;
  const signal = begin();
  store.setState({ phase: 'asking' });
  const answer = await answerOf(api, { ...question, limit: PAGE, cursor }, signal);
  if (signal.aborted) return;
  store.setState('problem' in answer ? { phase: 'failed', problem: answer.problem } : { ...told(answer), hits: [...hits, ...answer.hits] });
}

const told = (answer: HitList): Omit<FinderState, 'question' | 'hits'> => ({
  phase: 'answered',
  total: answer.total,
  hasMore: answer.more,
  isWhole: answer.whole,
  cursor: answer.nextCursor,
  problem: undefined,
});

const answerOf = (api: Pick<LibraryApi, 'search'>, question: Question, signal: AbortSignal): Promise<HitList | { readonly problem: string }> =>
  api.search(question, signal).catch((error: unknown) => ({
    problem: error instanceof ApiError ? error.message : 'The server answered something that this page does not understand.',
  }));
