import { useCallback } from 'react';
import { useApp, useCockpit } from '../app/cockpit-context.ts';
import { baseAt } from './scale.ts';

interface PanelTime {
  /** The server's clock, by which everything on the panel is told. */
  readonly now: () => number;
  /** Where the picture counts from; it changes a few times an hour. */
  readonly base: number;
}

export function usePanelTime(): PanelTime {
  const cockpit = useCockpit();
  const now = useCallback(() => Date.now() + cockpit.store.getState().panel.aheadMs, [cockpit]);
  const base = useApp((state) => baseAt(state.now + state.panel.aheadMs));
  return { now, base };
}
