import { createStore, type StoreApi } from 'zustand/vanilla';
import type { SessionListApi } from '../../client/http/session-list-api.ts';
import type { Folds } from '../../client/storage/folds.ts';
import { type Filter, queryOf } from './filter.ts';
import { ALL, emptyList, type ListState, listOf, type SessionUpdates, settled, withPage, withPagedList, withUpdates } from './list-state.ts';

/** All sessions, live and past, as far as they are loaded. */
export interface SessionListStore {
  readonly store: StoreApi<ListState>;
  /** Restored when the user comes back to the list. */
  scrollTop: number;
  /** A different filter starts a new list. */
  setFilter(filter: Filter): void;
  loadProjects(): Promise<void>;
  /** The next page of a list; requested once, however often this is called. */
  load(key: string): Promise<void>;
  take(updates: SessionUpdates): void;
  /** After a time offline: whatever changed is among the newest. */
  catchUp(): Promise<void>;
  settle(): void;
  setFolded(project: string, isFolded: boolean): void;
}

interface ListContext {
  readonly store: StoreApi<ListState>;
  readonly api: SessionListApi;
  readonly now: () => number;
  readonly folds: Folds | undefined;
}

/** The first page is small so that it loads fast. */
const FIRST = 60;
const PAGE = 200;

export function openSessionList(api: SessionListApi, now: () => number, folds?: Folds): SessionListStore {
  const store = createStore<ListState>(() => ({ ...emptyList(), folded: new Set(folds?.read().keys()) }));
  const context: ListContext = { store, api, now, folds };
  return {
    store,
    scrollTop: 0,
    setFilter(filter) {
      if (setFilter(context, filter)) this.scrollTop = 0;
    },
    loadProjects: () => loadProjects(context),
    load: (key) => load(context, key),
    take: (updates) => store.setState((state) => (state.lists.size === 0 ? state : withUpdates(state, updates, now()))),
    catchUp: () => catchUp(context),
    settle: () => store.setState((state) => settled(state, now())),
    setFolded: (project, isFolded) => setFolded(context, project, isFolded),
  };
}

function setFolded({ store, folds }: ListContext, project: string, isFolded: boolean): void {
  const folded = toggled(store.getState().folded, project, isFolded);
  store.setState({ folded });
  folds?.write(new Map([...folded].map((each) => [each, true])));
}

/** True if it changed. */
function setFilter({ store }: ListContext, filter: Filter): boolean {
  const before = store.getState();
  if (sameFilter(before.filter, filter)) return false;
  const isSameCount = before.filter.agent === filter.agent;
  store.setState({ ...emptyList(filter), folded: before.folded, projects: isSameCount ? before.projects : undefined }, true);
  return true;
}

const sameFilter = (a: Filter, b: Filter): boolean => JSON.stringify(a) === JSON.stringify(b);

function toggled(set: ReadonlySet<string>, member: string, isIn: boolean): ReadonlySet<string> {
  const next = new Set(set);
  if (isIn) next.add(member);
  else next.delete(member);
  return next;
}

async function loadProjects({ store, api }: ListContext): Promise<void> {
  const { agent } = store.getState().filter;
  const projects = await api.projects(agent === '' ? undefined : agent).catch(() => undefined);
  if (projects !== undefined && store.getState().filter.agent === agent) store.setState({ projects });
}

async function load({ store, api, now }: ListContext, key: string): Promise<void> {
  const { filter } = store.getState();
  const list = listOf(store.getState(), key);
  if (list.phase === 'loading' || list.phase === 'complete') return;
  store.setState((state) => withPagedList(state, key, { ...list, phase: 'loading' }));
  const query = {
    ...queryOf(filter, now()),
    ...(key === ALL ? {} : { project: key }),
    limit: String(list.ids.length === 0 ? FIRST : PAGE),
    ...(list.cursor === undefined ? {} : { cursor: list.cursor }),
  };
  const page = await api.sessions(query).catch((error: Error) => error);
  store.setState((state) => {
    // Ignore answers for an earlier filter.
    if (!sameFilter(state.filter, filter)) return state;
    if (page instanceof Error) return { ...withPagedList(state, key, { ...listOf(state, key), phase: 'failed' }), problem: page.message };
    return withPage(state, key, page);
  });
}

async function catchUp({ store, api, now }: ListContext): Promise<void> {
  const { filter, lists } = store.getState();
  if (lists.size === 0) return;
  const page = await api.sessions({ ...queryOf(filter, now()), limit: String(PAGE) }).catch(() => undefined);
  if (page === undefined) return;
  store.setState((state) => (sameFilter(state.filter, filter) ? withUpdates(state, { changed: page.sessions, deleted: [] }, now()) : state));
}
