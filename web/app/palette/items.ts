import type { Session } from '../../../src/protocol/session.ts';
import type { ActionChoice, BoundAction } from '../../base/actions/actions.ts';
import { fuzzyScore } from './fuzzy.ts';

/** The id of an item's element in the document. */
export const optionId = (key: string): string => `palette-${key.replaceAll(' ', '-')}`;

/** One line of the palette. */
export type PaletteItem =
  | { readonly kind: 'action'; readonly key: string; readonly title: string; readonly bound: BoundAction }
  | { readonly kind: 'choice'; readonly key: string; readonly title: string; readonly choice: ActionChoice }
  | { readonly kind: 'session'; readonly key: string; readonly title: string; readonly session: Session }
  | { readonly kind: 'search'; readonly key: string; readonly title: string; readonly query: string };

export interface PaletteGroup {
  readonly title: string;
  readonly items: readonly PaletteItem[];
}

/** The number of sessions offered for an empty query. */
const RECENT = 5;

/** Matches, best first. For an empty query: the latest sessions, actions for this page, then all other actions. */
export function paletteGroups(query: string, bound: readonly BoundAction[], sessions: readonly Session[]): readonly PaletteGroup[] {
  const actions = ranked(query, bound.filter(({ facts }) => facts.isByKeyOnly !== true).map(actionItem));
  const isEverywhere = (item: PaletteItem) => item.kind === 'action' && item.bound.facts.scope === 'everywhere';
  const found = ranked(query, sessions.map(sessionItem));
  const isNarrowed = query.trim() !== '';
  const groups = [
    ...(isNarrowed ? [] : [{ title: 'Sessions', items: found.slice(0, RECENT) }]),
    { title: 'Here', items: actions.filter((item) => !isEverywhere(item)) },
    ...(isNarrowed ? [{ title: 'Sessions', items: found }] : []),
    { title: 'Everywhere', items: actions.filter(isEverywhere) },
    { title: 'Search', items: isNarrowed ? [searchItem(query.trim())] : [] },
  ];
  return groups.filter(({ items }) => items.length > 0);
}

export const sessionGroups = (query: string, sessions: readonly Session[]): readonly PaletteGroup[] => {
  const items = ranked(query, sessions.map(sessionItem));
  return items.length === 0 ? [] : [{ title: 'Sessions', items }];
};

export const choiceGroups = (query: string, { id, binding }: BoundAction, title: string): readonly PaletteGroup[] => {
  const items = ranked(
    query,
    (binding.choices ?? []).map((choice, at) => ({ kind: 'choice', key: `${id} ${at}`, title: choice.title, choice })),
  );
  return items.length === 0 ? [] : [{ title, items }];
};

export const titleOf = ({ facts, binding }: BoundAction): string => binding.title ?? facts.title;

const actionItem = (bound: BoundAction): PaletteItem => ({ kind: 'action', key: bound.id, title: titleOf(bound), bound });
const sessionItem = (session: Session): PaletteItem => ({ kind: 'session', key: `session ${session.id}`, title: session.title, session });
const searchItem = (query: string): PaletteItem => ({ kind: 'search', key: 'search', title: `Search everything for “${query}”`, query });

/** Keeps the order for an empty query. A session's folder, last line and tags count too. */
function ranked(query: string, items: readonly PaletteItem[]): readonly PaletteItem[] {
  if (query.trim() === '') return items;
  const scored = items.flatMap((item) => {
    const score = fuzzyScore(query, item.title) ?? otherFieldsScore(query, item);
    return score === undefined ? [] : [{ item, score }];
  });
  return scored.sort((a, b) => b.score - a.score).map(({ item }) => item);
}

function otherFieldsScore(query: string, item: PaletteItem): number | undefined {
  if (item.kind !== 'session') return undefined;
  const { project, cwd, lastLine = '', tags } = item.session;
  const text = [project, cwd, lastLine, ...tags].join(' ').toLowerCase();
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
    ? 0
    : undefined;
}
