import { useLocation } from '@tanstack/react-router';
import { useMedia } from '../../base/browser/use-media.ts';

export const INSPECTOR_VIEWS = ['changes', 'review', 'finish', 'files', 'timeline', 'raw'] as const;
export type InspectorView = (typeof INSPECTOR_VIEWS)[number];

export const INSPECTOR_TITLES: Readonly<Record<InspectorView, string>> = {
  changes: 'Changes',
  review: 'Review',
  finish: 'Finish',
  files: 'Files',
  timeline: 'Timeline',
  raw: 'Raw',
};

/** The parts of the address that the inspector views read; they survive a reload and can be shared. */
export type InspectorSearch = Readonly<Partial<Record<'path' | 'from' | 'base' | 'view' | 'run' | 'side' | 'wide', string>>>;

const NAMES = ['path', 'from', 'base', 'view', 'run', 'side', 'wide'] as const;

export const inspectorSearch = (search: Readonly<Record<string, unknown>>): InspectorSearch =>
  Object.fromEntries(NAMES.flatMap((name) => (typeof search[name] === 'string' && search[name] !== '' ? [[name, search[name]]] : [])));

/** The inspector view in the address; undefined shows only the transcript. */
export function useInspectorView(): InspectorView | undefined {
  const name = useLocation({ select: (location) => /^\/s\/[^/]+\/([a-z]+)\/?$/.exec(location.pathname)?.[1] });
  return INSPECTOR_VIEWS.find((view) => view === name);
}

/** Whether the inspector covers the transcript; then no keys reach what is under it. */
export function useIsCovered(): boolean {
  const view = useInspectorView();
  const isNarrow = useMedia('(max-width: 900px)');
  const wide = useLocation({ select: ({ search }) => inspectorSearch(search).wide });
  return view !== undefined && (isNarrow || wide !== undefined);
}
