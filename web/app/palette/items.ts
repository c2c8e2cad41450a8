import type { Session } from '../../../src/protocol/session.ts';
import type { ActionChoice, BoundAction } from '../../base/actions/actions.ts';
import { fuzzy } from './fuzzy.ts';

/** One line of the palette. */
export type PaletteItem =
  | { readonly kind: 'action'; readonly key: string; readonly title: string; readonly bound: BoundAction }
  | { readonly kind: 'choice'; readonly key: string; readonly title: string; readonly choice: ActionChoice }
  | { readonly kind: 'session'; readonly key: string; readonly title: string; readonly session: Session }
  | { readonly kind: 'search'; readonly key: string; readonly title: string; readonly words: string };

export interface PaletteGroup {
  readonly title: string;
  readonly items: readonly PaletteItem[];
}

/** Without words, so many sessions are offered; with words, as many as fit. */
const RECENT = 5;

/** What fits the words, best first; without words the latest sessions, then what can be done here, then everything else. */
export function paletteGroups(words: string, bound: readonly BoundAction[], sessions: readonly Session[]): readonly PaletteGroup[] {
  const actions = ranked(words, bound.filter(({ facts }) => facts.isByKeyOnly !== true).map(actionItem));
  const isOfPage = (item: PaletteItem) => item.kind === 'action' && item.bound.facts.scope === 'everywhere';
  const found = ranked(words, sessions.map(sessionItem));
  const isNarrowed = words.trim() !== '';
  const groups = [
    ...(isNarrowed ? [] : [{ title: 'Sessions', items: found.slice(0, RECENT) }]),
    { title: 'Here', items: actions.filter((item) => !isOfPage(item)) },
    ...(isNarrowed ? [{ title: 'Sessions', items: found }] : []),
    { title: 'Everywhere', items: actions.filter(isOfPage) },
    { title: 'Search', items: isNarrowed ? [searchItem(words.trim())] : [] },
  ];
  return groups.filter(({ items }) => items.length > 0);
}

export const sessionGroups = (words: string, sessions: readonly Session[]): readonly PaletteGroup[] => {
  const items = ranked(words, sessions.map(sessionItem));
  return items.length === 0 ? [] : [{ title: 'Sessions', items }];
};

export const choiceGroups = (words: string, { id, binding }: BoundAction, title: string): readonly PaletteGroup[] => {
  const items = ranked(
    words,
    (binding.choices ?? []).map((choice, at) => ({ kind: 'choice', key: `${id} ${at}`, title: choice.title, choice })),
  );
  return items.length === 0 ? [] : [{ title, items }];
};

export const titleOf = ({ facts, binding }: BoundAction): string => binding.title ?? facts.title;

const actionItem = (bound: BoundAction): PaletteItem => ({ kind: 'action', key: bound.id, title: titleOf(bound), bound });
const sessionItem = (session: Session): PaletteItem => ({ kind: 'session', key: `session ${session.id}`, title: session.title, session });
const searchItem = (words: string): PaletteItem => ({ kind: 'search', key: 'search', title: `Search everything for “${words}”`, words });

/** In the order they came when there are no words; what a session's folder or last line says counts too. */
function ranked(words: string, items: readonly PaletteItem[]): readonly PaletteItem[] {
  if (words.trim() === '') return items;
  const scored = items.flatMap((item) => {
    const score = fuzzy(words, item.title) ?? besideTitle(words, item);
    return score === undefined ? [] : [{ item, score }];
  });
  return scored.sort((a, b) => b.score - a.score).map(({ item }) => item);
}

function besideTitle(words: string, item: PaletteItem): number | undefined {
  if (item.kind !== 'session') return undefined;
  const { project, cwd, lastLine = '', tags } = item.session;
  const text = [project, cwd, lastLine, ...tags].join(' ').toLowerCase();
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
    ? 0
    : undefined;
}
