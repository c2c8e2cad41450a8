import { useState } from 'react';
import { fittedWindow, WINDOWS_MS, type WindowMs } from '../../../../src/domain/panel/window.ts';
import { useApp } from '../../../store/cockpit-context.ts';
import { panelNow } from '../../../store/state/app-state.ts';

const KEY = 'signalbox:panel-window';

export interface PanelWindow {
  readonly windowMs: WindowMs;
  readonly chosen: WindowMs | undefined;
  choose(window: WindowMs | undefined): void;
}

/** The window a person chose, here and in this browser; otherwise the one that fits. */
export function useWindow(): PanelWindow {
  const [chosen, setChosen] = useState(() => WINDOWS_MS.find((window) => String(window) === localStorage.getItem(KEY)));
  const fitted = useApp((state) => fittedWindow(state.panel.tracks.values(), panelNow(state)));
  const choose = (window: WindowMs | undefined) => {
    setChosen(window);
    if (window === undefined) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, String(window));
  };
  return { windowMs: chosen ?? fitted, chosen, choose };
}
