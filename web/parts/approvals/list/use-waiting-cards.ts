import { useMemo } from 'react';
import { useShallow } from 'zustand/react/shallow';
import { useApp } from '../../../store/cockpit-context.ts';
import type { ShownRequests } from '../selection/selection.ts';
import { phaseOf, type TrayEntry, trayOf } from './waiting-cards.ts';

/** What waits, over all sessions, and what has just been decided. */
export function useTray(): readonly TrayEntry[] {
  const permissions = useApp((state) => state.permissions);
  const left = useApp((state) => state.left);
  return useMemo(() => trayOf(permissions, left), [permissions, left]);
}

export const useShownRequests = (entries: readonly TrayEntry[]): ShownRequests =>
  useApp(useShallow((state) => new Map(entries.map((entry) => [entry.permission.requestId, phaseOf(state, entry)]))));
