import { getRouteApi } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useApp, useCockpit } from '../../store/cockpit-context.ts';
import { evenLayout, layoutFor, moved, parsed, resized, type TileLayout } from '../../store/state/tile-layout.ts';

const route = getRouteApi('/tiles');

/** A size that hasn't changed for this long is saved. */
const REST_MS = 400;

export interface Tiles {
  readonly layout: TileLayout;
  /** False until the person's saved tiles are loaded. */
  readonly isKnown: boolean;
  /** Shows these sessions, in this order. */
  setSessions(sessions: readonly string[]): void;
  move(id: string, steps: 1 | -1): void;
  setColumns(columns: number): void;
  even(): void;
  /** Applies at once, and saves after a pause. */
  resize(side: 'widths' | 'heights', at: number, by: number): void;
}

/** The sessions named in the address, or those of the last visit, with the person's saved sizes. */
export function useTiles(): Tiles {
  const cockpit = useCockpit();
  const { s } = route.useSearch();
  const navigate = route.useNavigate();
  const person = useApp((state) => state.person);
  const [draft, setDraft] = useState<TileLayout>();
  const saved = person?.tiles;
  const named = s === undefined ? saved?.sessions : parsed(s.split(','));
  const layout = draft ?? layoutFor(named ?? [], saved);
  const set = (next: TileLayout) => {
    setDraft(undefined);
    void cockpit.saveTiles(next);
    void navigate({ search: next.sessions.length === 0 ? {} : { s: next.sessions.join(',') }, replace: true });
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the last size is saved
  useEffect(() => {
    if (draft === undefined) return;
    const timer = setTimeout(() => set(draft), REST_MS);
    return () => clearTimeout(timer);
  }, [draft]);
  useAddress(s, layout);
  return {
    layout,
    isKnown: person !== undefined || s !== undefined,
    setSessions: (sessions) => set(layoutFor(sessions, layout)),
    move: (id, steps) => set({ ...layout, sessions: moved(layout.sessions, id, steps) }),
    setColumns: (columns) => set(evenLayout(layout.sessions, columns)),
    even: () => set(evenLayout(layout.sessions, layout.columns)),
    resize: (side, at, by) => setDraft({ ...layout, [side]: resized(layout[side], at, by) }),
  };
}

/** Keeps the address and the saved tiles equal to what is shown. */
function useAddress(s: string | undefined, layout: TileLayout): void {
  const cockpit = useCockpit();
  const navigate = route.useNavigate();
  const saved = useApp((state) => state.person?.tiles?.sessions.join(','));
  const isKnown = useApp((state) => state.person !== undefined);
  const shown = layout.sessions.join(',');
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the shown sessions change
  useEffect(() => {
    if (shown === '') return;
    if (s !== shown) void navigate({ search: { s: shown }, replace: true });
    if (isKnown && saved !== shown) void cockpit.saveTiles(layout);
  }, [s, shown, isKnown]);
}
