import { createStore, type StoreApi } from 'zustand/vanilla';
import type { LibraryApi } from '../../client/http/session-list-api.ts';
import type { Folds } from '../../client/storage/folds.ts';
import { type Filter, questionOf } from './filter.ts';
import { ALL, emptyList, type ListState, laneOf, type News, settled, withLane, withNews, withPage } from './list-state.ts';

/** All sessions, live and past, as far as a person has looked. */
export interface Library {
  readonly store: StoreApi<ListState>;
  /** How far down the person was, for coming back to it. */
  scrollTop: number;
  /** Another filter is another list. */
  setFilter(filter: Filter): void;
  loadProjects(): Promise<void>;
  /** The next page of a lane; asked once, however often it is wished. */
  load(lane: string): Promise<void>;
  take(news: News): void;
  /** After a time without a connection: what changed meanwhile is among the newest. */
  catchUp(): Promise<void>;
  settle(): void;
  setFolded(project: string, isFolded: boolean): void;
}

interface Desk {
  readonly store: StoreApi<ListState>;
  readonly api: LibraryApi;
  readonly now: () => number;
  readonly folds: Folds | undefined;
}

/** The first page is small so that it is there at once. */
const FIRST = 60;
const PAGE = 200;

export function openLibrary(api: LibraryApi, now: () => number, folds?: Folds): Library {
  const store = createStore<ListState>(() => ({ ...emptyList(), folded: new Set(folds?.read().keys()) }));
  const desk: Desk = { store, api, now, folds };
  return {
    store,
    scrollTop: 0,
    setFilter(filter) {
      if (setFilter(desk, filter)) this.scrollTop = 0;
    },
    loadProjects: () => loadProjects(desk),
    load: (lane) => load(desk, lane),
    take: (news) => store.setState((state) => (state.lanes.size === 0 ? state : withNews(state, news, now()))),
    catchUp: () => catchUp(desk),
    settle: () => store.setState((state) => settled(state, now())),
    setFolded: (project, isFolded) => setFolded(desk, project, isFolded),
  };
}

function setFolded({ store, folds }: Desk, project: string, isFolded: boolean): void {
  const folded = toggled(store.getState().folded, project, isFolded);
  store.setState({ folded });
  folds?.write(new Map([...folded].map((each) => [each, true])));
}

/** True when it is another one. */
function setFilter({ store }: Desk, filter: Filter): boolean {
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

async function loadProjects({ store, api }: Desk): Promise<void> {
  const { agent } = store.getState().filter;
  const projects = await api.projects(agent === '' ? undefined : agent).catch(() => undefined);
  if (projects !== undefined && store.getState().filter.agent === agent) store.setState({ projects });
}

async function load({ store, api, now }: Desk, key: string): Promise<void> {
  const { filter } = store.getState();
  const lane = laneOf(store.getState(), key);
  if (lane.phase === 'loading' || lane.phase === 'whole') return;
  store.setState((state) => withLane(state, key, { ...lane, phase: 'loading' }));
  const question = {
    ...questionOf(filter, now()),
    ...(key === ALL ? {} : { project: key }),
    limit: String(lane.ids.length === 0 ? FIRST : PAGE),
    ...(lane.cursor === undefined ? {} : { cursor: lane.cursor }),
  };
  const page = await api.sessions(question).catch((error: Error) => error);
  store.setState((state) => {
    // An answer to an earlier filter is no answer.
    if (!sameFilter(state.filter, filter)) return state;
    if (page instanceof Error) return { ...withLane(state, key, { ...laneOf(state, key), phase: 'failed' }), problem: page.message };
    return withPage(state, key, page);
  });
}

async function catchUp({ store, api, now }: Desk): Promise<void> {
  const { filter, lanes } = store.getState();
  if (lanes.size === 0) return;
  const page = await api.sessions({ ...questionOf(filter, now()), limit: String(PAGE) }).catch(() => undefined);
  if (page === undefined) return;
  store.setState((state) => (sameFilter(state.filter, filter) ? withNews(state, { changed: page.sessions, deleted: [] }, now()) : state));
}
