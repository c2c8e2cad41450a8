import { useCallback } from 'react';
import { useApp, useCockpit } from '../../../store/cockpit-context.ts';
import { panelNow } from '../../../store/state/app-state.ts';
import { baseAt } from './scale.ts';

interface PanelTime {
  /** The server's clock, by which everything on the panel is told; it stands while there is no connection. */
  readonly now: () => number;
  /** Where the picture counts from; it changes a few times an hour. */
  readonly base: number;
}

export function usePanelTime(): PanelTime {
  const cockpit = useCockpit();
  const now = useCallback(() => {
    const { silentSince, panel } = cockpit.store.getState();
    return (silentSince ?? Date.now()) + panel.aheadMs;
  }, [cockpit]);
  const base = useApp((state) => baseAt(panelNow(state)));
  return { now, base };
}
