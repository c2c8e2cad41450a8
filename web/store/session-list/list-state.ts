import type { Project } from '../../../src/protocol/http.ts';
import type { Session } from '../../../src/protocol/session.ts';
import type { SessionPageOf } from '../../client/http/session-list-api.ts';
import { type Filter, fits, isCounted, NO_FILTER } from './filter.ts';

/** One stretch of sessions, newest first, of which the beginning is known: the whole list, or that of one project. */
export interface Lane {
  readonly ids: readonly string[];
  readonly cursor?: string;
  readonly phase: 'new' | 'loading' | 'idle' | 'failed' | 'whole';
}

export interface ListState {
  readonly filter: Filter;
  readonly lanes: ReadonlyMap<string, Lane>;
  readonly sessions: ReadonlyMap<string, Session>;
  /** Sessions that changed and no longer stand where they should: they are moved when no hand is on the list. */
  readonly moved: ReadonlySet<string>;
  readonly projects: readonly Project[] | undefined;
  /** Groups that a person folded up. */
  readonly folded: ReadonlySet<string>;
  readonly problem: string | undefined;
}

/** The lane of the list that is not grouped. */
export const ALL = '';
export const NEW_LANE: Lane = { ids: [], phase: 'new' };

export const emptyList = (filter: Filter = NO_FILTER): ListState => ({
  filter,
  lanes: new Map(),
  sessions: new Map(),
  moved: new Set(),
  projects: undefined,
  folded: new Set(),
  problem: undefined,
});

/** What decides where things stand. */
export type Placing = Pick<ListState, 'filter' | 'lanes' | 'projects' | 'folded'>;

export const laneOf = (state: Pick<ListState, 'lanes'>, key: string): Lane => state.lanes.get(key) ?? NEW_LANE;

export const withLane = (state: ListState, key: string, lane: Lane): ListState => ({ ...state, lanes: new Map(state.lanes).set(key, lane) });

/** A page more. What a change has already brought is not listed twice. */
export function withPage(state: ListState, key: string, page: SessionPageOf): ListState {
  const lane = laneOf(state, key);
  const known = new Set(lane.ids);
  const sessions = new Map(state.sessions);
  for (const session of page.sessions) sessions.set(session.id, session);
  const ids = [...lane.ids, ...page.sessions.map(({ id }) => id).filter((id) => !known.has(id))];
  const next: Lane = page.nextCursor === undefined ? { ids, phase: 'whole' } : { ids, phase: 'idle', cursor: page.nextCursor };
  return { ...withLane(state, key, next), sessions, problem: undefined };
}

export interface News {
  readonly changed: readonly Session[];
  readonly deleted: readonly string[];
}

/** What rows say is true at once; where they stand follows when nobody could press the wrong one. */
export function withNews(state: ListState, news: News, now: number): ListState {
  const sessions = new Map(state.sessions);
  const moved = new Set(state.moved);
  for (const session of news.changed) {
    const before = sessions.get(session.id);
    if (before === undefined && !(fits(state.filter, session, now) && isInReach(state, session))) continue;
    // News of a session come without its health, which is told with pages of the list.
    const { health = before?.health } = session;
    sessions.set(session.id, health === undefined ? session : { ...session, health });
    if (before === undefined || before.updatedAt !== session.updatedAt || !fits(state.filter, session, now)) moved.add(session.id);
  }
  for (const id of news.deleted) {
    if (sessions.delete(id)) moved.add(id);
  }
  return { ...state, sessions, moved };
}

/** Whether its place lies among what is loaded; else a later page brings it. */
function isInReach(state: ListState, session: Session): boolean {
  const lane = state.lanes.get(laneKeyOf(state, session));
  if (lane === undefined || lane.phase === 'new') return false;
  if (lane.phase === 'whole') return true;
  const last = state.sessions.get(lane.ids.at(-1) ?? '');
  return last !== undefined && session.updatedAt > last.updatedAt;
}

export const laneKeyOf = ({ filter }: ListState, session: Session): string => (filter.group === 'project' ? session.projectId : ALL);

/** Everything that changed goes to where it belongs, or leaves. */
export function settled(state: ListState, now: number): ListState {
  if (state.moved.size === 0) return state;
  const lanes = new Map([...state.lanes].map(([key, lane]) => [key, without(lane, state.moved)] as const));
  for (const id of state.moved) {
    const session = state.sessions.get(id);
    if (session === undefined || !fits(state.filter, session, now)) continue;
    const key = laneKeyOf(state, session);
    const lane = lanes.get(key);
    if (lane !== undefined) lanes.set(key, placed(lane, session, state.sessions));
  }
  return { ...state, lanes, moved: new Set() };
}

const without = (lane: Lane, ids: ReadonlySet<string>): Lane =>
  lane.ids.some((id) => ids.has(id)) ? { ...lane, ids: lane.ids.filter((id) => !ids.has(id)) } : lane;

function placed(lane: Lane, session: Session, sessions: ReadonlyMap<string, Session>): Lane {
  const found = lane.ids.findIndex((id) => (sessions.get(id)?.updatedAt ?? '') < session.updatedAt);
  // Behind the last loaded one a page will bring it.
  if (found < 0 && lane.phase !== 'whole') return lane;
  const at = found < 0 ? lane.ids.length : found;
  return { ...lane, ids: [...lane.ids.slice(0, at), session.id, ...lane.ids.slice(at)] };
}

/** How many rows the lane has in all, as far as that is known. */
export function totalOf(state: Omit<Placing, 'folded'>, key: string): number | undefined {
  const lane = laneOf(state, key);
  if (lane.phase === 'whole') return lane.ids.length;
  if (!isCounted(state.filter) || state.projects === undefined) return undefined;
  const wanted = key === ALL ? state.filter.project : key;
  return state.projects.filter(({ id }) => wanted === '' || id === wanted).reduce((sum, { sessions }) => sum + sessions, 0);
}
