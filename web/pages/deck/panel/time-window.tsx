import { useState } from 'react';
import { autoWindow, WINDOWS_MS, type WindowMs } from '../../../../src/domain/panel/window.ts';
import { useApp } from '../../../store/cockpit-context.ts';
import { panelNow } from '../../../store/state/app-state.ts';

const [SHORT, HOUR, LONG] = WINDOWS_MS;
const CHOICES: readonly (readonly [window: WindowMs | undefined, label: string, title: string])[] = [
  [undefined, 'Auto', 'Fits the current activity'],
  [SHORT, '15 min', 'Last 15 minutes'],
  [HOUR, '1 h', 'Last hour'],
  [LONG, '4 h', 'Last 4 hours'],
];

interface TimeWindowPickerProps {
  /** Undefined for automatic. */
  readonly chosen: WindowMs | undefined;
  readonly onChoose: (window: WindowMs | undefined) => void;
}

/** How much time the panel shows. */
export function TimeWindowPicker({ chosen, onChoose }: TimeWindowPickerProps) {
  return (
    <fieldset className="window-choice">
      <legend className="unseen">Time range</legend>
      {CHOICES.map(([window, label, title]) => (
        <button key={label} type="button" aria-pressed={chosen === window} title={title} onClick={() => onChoose(window)}>
          {label}
        </button>
      ))}
    </fieldset>
  );
}

const KEY = 'signalbox:panel-window';

export interface TimeWindow {
  readonly windowMs: WindowMs;
  readonly chosen: WindowMs | undefined;
  choose(window: WindowMs | undefined): void;
}

/** The window chosen in this browser, or the one that fits the activity. */
export function useTimeWindow(): TimeWindow {
  const [chosen, setChosen] = useState(() => WINDOWS_MS.find((window) => String(window) === localStorage.getItem(KEY)));
  const fitted = useApp((state) => autoWindow(state.panel.tracks.values(), panelNow(state)));
  const choose = (window: WindowMs | undefined) => {
    setChosen(window);
    if (window === undefined) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, String(window));
  };
  return { windowMs: chosen ?? fitted, chosen, choose };
}
