import type { Project } from '../../../src/protocol/http.ts';
import { ALL, type ListShape, listOf, totalOf } from '../../store/session-list/list-state.ts';

/** One line of the list. */
export type Line =
  | { readonly kind: 'group'; readonly project: Project }
  | { readonly kind: 'session'; readonly id: string }
  /** Not loaded yet, but its height is reserved. */
  | { readonly kind: 'coming'; readonly listKey: string };

interface Section {
  readonly listKey: string;
  readonly project?: Project;
  /** The index of its first line, which is its header if it has one. */
  readonly start: number;
  readonly ids: readonly string[];
  readonly coming: number;
}

export interface Layout {
  readonly count: number;
  readonly sections: readonly Section[];
}

/** Lines reserved while the total is unknown. */
const UNKNOWN_LINES = { list: 20, group: 2 } as const;

/** The positions of all lines, without an object per session: there may be tens of thousands. */
export function layoutOf(state: ListShape): Layout {
  const groups = state.filter.group === 'project' ? groupsOf(state) : [undefined];
  const sections: Section[] = [];
  let count = 0;
  for (const project of groups) {
    const section = sectionOf(state, project, count);
    sections.push(section);
    count += lengthOf(section);
  }
  return { count, sections };
}

const lengthOf = ({ project, ids, coming }: Section): number => (project === undefined ? 0 : 1) + ids.length + coming;

/** Groups without matches are hidden. */
function groupsOf(state: ListShape): readonly Project[] {
  const shown = (state.projects ?? []).filter(({ id }) => state.filter.project === '' || id === state.filter.project);
  return shown.filter(({ id }) => listOf(state, id).phase !== 'complete' || listOf(state, id).ids.length > 0);
}

function sectionOf(state: ListShape, project: Project | undefined, start: number): Section {
  const listKey = project?.id ?? ALL;
  const head = project === undefined ? {} : { project };
  if (state.folded.has(listKey) && project !== undefined) return { listKey, start, ids: [], coming: 0, ...head };
  const { ids, phase } = listOf(state, listKey);
  const unknown = project === undefined ? UNKNOWN_LINES.list : UNKNOWN_LINES.group;
  const coming = phase === 'complete' ? 0 : Math.max((totalOf(state, listKey) ?? 0) - ids.length, unknown);
  return { listKey, start, ids, coming, ...head };
}

/** The line at an index. */
export function lineAt(layout: Layout, index: number): Line {
  const section = sectionAt(layout, index);
  if (section === undefined) return { kind: 'coming', listKey: ALL };
  const within = index - section.start - (section.project === undefined ? 0 : 1);
  if (within < 0 && section.project !== undefined) return { kind: 'group', project: section.project };
  const id = section.ids[within];
  return id === undefined ? { kind: 'coming', listKey: section.listKey } : { kind: 'session', id };
}

function sectionAt({ sections }: Layout, index: number): Section | undefined {
  let [low, high] = [0, sections.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((sections[middle]?.start ?? 0) <= index) low = middle;
    else high = middle - 1;
  }
  return sections[low];
}

/** The index of a session, or -1 if it is not loaded. */
export function indexOf(layout: Layout, id: string): number {
  for (const { start, project, ids } of layout.sections) {
    const within = ids.indexOf(id);
    if (within >= 0) return start + within + (project === undefined ? 0 : 1);
  }
  return -1;
}

/** The next session in a direction, skipping headers and lines that are not loaded. */
export function neighbor(layout: Layout, from: number, by: 1 | -1): string | undefined {
  for (let at = from + by; at >= 0 && at < layout.count; at += by) {
    const line = lineAt(layout, at);
    if (line.kind === 'session') return line.id;
  }
  return undefined;
}
