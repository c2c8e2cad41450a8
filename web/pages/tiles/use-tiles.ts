import { getRouteApi } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useApp, useCockpit } from '../../store/cockpit-context.ts';
import { evenLayout, layoutFor, moved, parsed, resized, type TileLayout } from '../../store/state/tile-layout.ts';

const route = getRouteApi('/tiles');

/** A size that has not changed for so long is meant. */
const REST_MS = 400;

export interface Tiles {
  readonly layout: TileLayout;
  /** False until it is known what this person had side by side. */
  readonly isKnown: boolean;
  /** These, in this order. */
  place(sessions: readonly string[]): void;
  move(id: string, steps: 1 | -1): void;
  setColumns(columns: number): void;
  even(): void;
  /** Shown at once, and kept when the hand rests. */
  resize(side: 'widths' | 'heights', at: number, by: number): void;
}

/** The sessions of the address, or those of the last time; sizes as this person left them. */
export function useTiles(): Tiles {
  const cockpit = useCockpit();
  const { s } = route.useSearch();
  const navigate = route.useNavigate();
  const person = useApp((state) => state.person);
  const [draft, setDraft] = useState<TileLayout>();
  const kept = person?.tiles;
  const asked = s === undefined ? kept?.sessions : parsed(s.split(','));
  const layout = draft ?? layoutFor(asked ?? [], kept);
  const set = (next: TileLayout) => {
    setDraft(undefined);
    void cockpit.keepTiles(next);
    void navigate({ search: next.sessions.length === 0 ? {} : { s: next.sessions.join(',') }, replace: true });
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is the hand's last word that is kept
  useEffect(() => {
    if (draft === undefined) return;
    const timer = setTimeout(() => set(draft), REST_MS);
    return () => clearTimeout(timer);
  }, [draft]);
  useAddress(s, layout);
  return {
    layout,
    isKnown: person !== undefined || s !== undefined,
    place: (sessions) => set(layoutFor(sessions, layout)),
    move: (id, steps) => set({ ...layout, sessions: moved(layout.sessions, id, steps) }),
    setColumns: (columns) => set(evenLayout(layout.sessions, columns)),
    even: () => set(evenLayout(layout.sessions, layout.columns)),
    resize: (side, at, by) => setDraft({ ...layout, [side]: resized(layout[side], at, by) }),
  };
}

/** What is shown is in the address, and what the address showed is there the next time. */
function useAddress(s: string | undefined, layout: TileLayout): void {
  const cockpit = useCockpit();
  const navigate = route.useNavigate();
  const kept = useApp((state) => state.person?.tiles?.sessions.join(','));
  const isKnown = useApp((state) => state.person !== undefined);
  const shown = layout.sessions.join(',');
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is which sessions are shown that matters
  useEffect(() => {
    if (shown === '') return;
    if (s !== shown) void navigate({ search: { s: shown }, replace: true });
    if (isKnown && kept !== shown) void cockpit.keepTiles(layout);
  }, [s, shown, isKnown]);
}
