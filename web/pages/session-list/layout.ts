import type { Project } from '../../../src/protocol/http.ts';
import { ALL, laneOf, type Placing, totalOf } from '../../store/session-list/list-state.ts';

/** What one line of the list shows. */
export type Line =
  | { readonly kind: 'group'; readonly project: Project }
  | { readonly kind: 'session'; readonly id: string }
  /** Not fetched yet; it has its height already. */
  | { readonly kind: 'coming'; readonly lane: string };

interface Stretch {
  readonly lane: string;
  readonly project?: Project;
  /** The first line, its head if it has one. */
  readonly start: number;
  readonly ids: readonly string[];
  readonly coming: number;
}

export interface Layout {
  readonly count: number;
  readonly stretches: readonly Stretch[];
}

/** Lines kept for what nobody has counted. */
const UNKNOWN_LINES = { list: 20, group: 2 } as const;

/** Where everything stands, without a line being made for each session: there may be tens of thousands. */
export function layoutOf(state: Placing): Layout {
  const groups = state.filter.group === 'project' ? groupsOf(state) : [undefined];
  const stretches: Stretch[] = [];
  let count = 0;
  for (const project of groups) {
    const stretch = stretchOf(state, project, count);
    stretches.push(stretch);
    count += lengthOf(stretch);
  }
  return { count, stretches };
}

const lengthOf = ({ project, ids, coming }: Stretch): number => (project === undefined ? 0 : 1) + ids.length + coming;

/** A group in which nothing fits is not shown. */
function groupsOf(state: Placing): readonly Project[] {
  const shown = (state.projects ?? []).filter(({ id }) => state.filter.project === '' || id === state.filter.project);
  return shown.filter(({ id }) => laneOf(state, id).phase !== 'whole' || laneOf(state, id).ids.length > 0);
}

function stretchOf(state: Placing, project: Project | undefined, start: number): Stretch {
  const lane = project?.id ?? ALL;
  const head = project === undefined ? {} : { project };
  if (state.folded.has(lane) && project !== undefined) return { lane, start, ids: [], coming: 0, ...head };
  const { ids, phase } = laneOf(state, lane);
  const unknown = project === undefined ? UNKNOWN_LINES.list : UNKNOWN_LINES.group;
  const coming = phase === 'whole' ? 0 : Math.max((totalOf(state, lane) ?? 0) - ids.length, unknown);
  return { lane, start, ids, coming, ...head };
}

/** The line at a place of the list. */
export function lineAt(layout: Layout, index: number): Line {
  const stretch = stretchAt(layout, index);
  if (stretch === undefined) return { kind: 'coming', lane: ALL };
  const within = index - stretch.start - (stretch.project === undefined ? 0 : 1);
  if (within < 0 && stretch.project !== undefined) return { kind: 'group', project: stretch.project };
  const id = stretch.ids[within];
  return id === undefined ? { kind: 'coming', lane: stretch.lane } : { kind: 'session', id };
}

function stretchAt({ stretches }: Layout, index: number): Stretch | undefined {
  let [low, high] = [0, stretches.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((stretches[middle]?.start ?? 0) <= index) low = middle;
    else high = middle - 1;
  }
  return stretches[low];
}

/** The place of a session, if it is loaded. */
export function indexOf(layout: Layout, id: string): number {
  for (const { start, project, ids } of layout.stretches) {
    const within = ids.indexOf(id);
    if (within >= 0) return start + within + (project === undefined ? 0 : 1);
  }
  return -1;
}

/** The next session in a direction, over heads and over what is not loaded. */
export function neighbour(layout: Layout, from: number, by: 1 | -1): string | undefined {
  for (let at = from + by; at >= 0 && at < layout.count; at += by) {
    const line = lineAt(layout, at);
    if (line.kind === 'session') return line.id;
  }
  return undefined;
}
