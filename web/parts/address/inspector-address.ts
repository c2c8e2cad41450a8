import { useLocation } from '@tanstack/react-router';
import { useMedia } from '../../base/browser/use-media.ts';

export const SIDES = ['changes', 'files', 'timeline', 'raw'] as const;
export type Side = (typeof SIDES)[number];

export const SIDE_TITLES: Readonly<Record<Side, string>> = { changes: 'Changes', files: 'Files', timeline: 'Timeline', raw: 'Raw' };

/** What of the address each side reads; all of it is kept over a reload and can be shared. */
export type SideSearch = Readonly<Partial<Record<'path' | 'from' | 'base' | 'view' | 'run' | 'side' | 'wide', string>>>;

const NAMES = ['path', 'from', 'base', 'view', 'run', 'side', 'wide'] as const;

export const sideSearch = (search: Readonly<Record<string, unknown>>): SideSearch =>
  Object.fromEntries(NAMES.flatMap((name) => (typeof search[name] === 'string' && search[name] !== '' ? [[name, search[name]]] : [])));

/** Which side the address asks for; none shows the transcript alone. */
export function useSide(): Side | undefined {
  const name = useLocation({ select: (location) => /^\/s\/[^/]+\/([a-z]+)\/?$/.exec(location.pathname)?.[1] });
  return SIDES.find((side) => side === name);
}

/** Whether a side lies over the transcript: then nothing under it hears keys. */
export function useIsCovered(): boolean {
  const side = useSide();
  const isNarrow = useMedia('(max-width: 900px)');
  const wide = useLocation({ select: ({ search }) => sideSearch(search).wide });
  return side !== undefined && (isNarrow || wide !== undefined);
}
