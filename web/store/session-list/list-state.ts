import type { Project } from '../../../src/protocol/http.ts';
import type { Session } from '../../../src/protocol/session.ts';
import type { SessionPageOf } from '../../client/http/session-list-api.ts';
import { type Filter, isCounted, matches, NO_FILTER } from './filter.ts';

/** Sessions loaded page by page, newest first: the full list, or one project's. */
export interface PagedList {
  readonly ids: readonly string[];
  readonly cursor?: string;
  readonly phase: 'new' | 'loading' | 'idle' | 'failed' | 'complete';
}

export interface ListState {
  readonly filter: Filter;
  readonly lists: ReadonlyMap<string, PagedList>;
  readonly sessions: ReadonlyMap<string, Session>;
  /** Sessions whose position is out of date: they move when the user isn't touching the list. */
  readonly moved: ReadonlySet<string>;
  readonly projects: readonly Project[] | undefined;
  /** Projects that the user collapsed. */
  readonly folded: ReadonlySet<string>;
  readonly problem: string | undefined;
}

/** The key of the ungrouped list. */
export const ALL = '';
export const NEW_LIST: PagedList = { ids: [], phase: 'new' };

export const emptyList = (filter: Filter = NO_FILTER): ListState => ({
  filter,
  lists: new Map(),
  sessions: new Map(),
  moved: new Set(),
  projects: undefined,
  folded: new Set(),
  problem: undefined,
});

/** What decides where rows are. */
export type ListShape = Pick<ListState, 'filter' | 'lists' | 'projects' | 'folded'>;

export const listOf = (state: Pick<ListState, 'lists'>, key: string): PagedList => state.lists.get(key) ?? NEW_LIST;

export const withPagedList = (state: ListState, key: string, list: PagedList): ListState => ({ ...state, lists: new Map(state.lists).set(key, list) });

/** Adds a page. A session that an update already added is not listed twice. */
export function withPage(state: ListState, key: string, page: SessionPageOf): ListState {
  const list = listOf(state, key);
  const known = new Set(list.ids);
  const sessions = new Map(state.sessions);
  for (const session of page.sessions) sessions.set(session.id, session);
  const ids = [...list.ids, ...page.sessions.map(({ id }) => id).filter((id) => !known.has(id))];
  const next: PagedList = page.nextCursor === undefined ? { ids, phase: 'complete' } : { ids, phase: 'idle', cursor: page.nextCursor };
  return { ...withPagedList(state, key, next), sessions, problem: undefined };
}

export interface SessionUpdates {
  readonly changed: readonly Session[];
  readonly deleted: readonly string[];
}

/** Updates the rows at once; their order follows when nobody could click the wrong one. */
export function withUpdates(state: ListState, updates: SessionUpdates, now: number): ListState {
  const sessions = new Map(state.sessions);
  const moved = new Set(state.moved);
  for (const session of updates.changed) {
    const before = sessions.get(session.id);
    if (before === undefined && !(matches(state.filter, session, now) && isInReach(state, session))) continue;
    // Updates come without health, which only pages of the list have.
    const { health = before?.health } = session;
    sessions.set(session.id, health === undefined ? session : { ...session, health });
    if (before === undefined || before.updatedAt !== session.updatedAt || !matches(state.filter, session, now)) moved.add(session.id);
  }
  for (const id of updates.deleted) {
    if (sessions.delete(id)) moved.add(id);
  }
  return { ...state, sessions, moved };
}

/** Whether its position is in the loaded part; otherwise a later page brings it. */
function isInReach(state: ListState, session: Session): boolean {
  const list = state.lists.get(listKeyOf(state, session));
  if (list === undefined || list.phase === 'new') return false;
  if (list.phase === 'complete') return true;
  const last = state.sessions.get(list.ids.at(-1) ?? '');
  return last !== undefined && session.updatedAt > last.updatedAt;
}

export const listKeyOf = ({ filter }: ListState, session: Session): string => (filter.group === 'project' ? session.projectId : ALL);

/** Moves every changed session to its position, or removes it. */
export function settled(state: ListState, now: number): ListState {
  if (state.moved.size === 0) return state;
  const lists = new Map([...state.lists].map(([key, list]) => [key, without(list, state.moved)] as const));
  for (const id of state.moved) {
    const session = state.sessions.get(id);
    if (session === undefined || !matches(state.filter, session, now)) continue;
    const key = listKeyOf(state, session);
    const list = lists.get(key);
    if (list !== undefined) lists.set(key, placed(list, session, state.sessions));
  }
  return { ...state, lists, moved: new Set() };
}

const without = (list: PagedList, ids: ReadonlySet<string>): PagedList =>
  list.ids.some((id) => ids.has(id)) ? { ...list, ids: list.ids.filter((id) => !ids.has(id)) } : list;

function placed(list: PagedList, session: Session, sessions: ReadonlyMap<string, Session>): PagedList {
  const found = list.ids.findIndex((id) => (sessions.get(id)?.updatedAt ?? '') < session.updatedAt);
  // After the last loaded one: a later page brings it.
  if (found < 0 && list.phase !== 'complete') return list;
  const at = found < 0 ? list.ids.length : found;
  return { ...list, ids: [...list.ids.slice(0, at), session.id, ...list.ids.slice(at)] };
}

/** The total number of rows, if known. */
export function totalOf(state: Omit<ListShape, 'folded'>, key: string): number | undefined {
  const list = listOf(state, key);
  if (list.phase === 'complete') return list.ids.length;
  if (!isCounted(state.filter) || state.projects === undefined) return undefined;
  const wanted = key === ALL ? state.filter.project : key;
  return state.projects.filter(({ id }) => wanted === '' || id === wanted).reduce((sum, { sessions }) => sum + sessions, 0);
}
