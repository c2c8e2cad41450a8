import { type RefObject, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useMedia } from '../../../base/browser/use-media.ts';
import type { Scale } from '../../../parts/track/scale.ts';
import { useApp } from '../../../store/cockpit-context.ts';
import { panelNow } from '../../../store/state/app-state.ts';
import { type Line, linesOf } from './lines.ts';
import { PanelCursor } from './panel-cursor.tsx';
import { PanelNote } from './panel-note.tsx';
import { PanelRow, panelRowProps } from './panel-row.tsx';
import { rowsFor } from './rows.ts';
import { type TimeMark, timeMarks } from './time-marks.ts';
import { TimeWindowPicker, useTimeWindow } from './time-window.tsx';
import { TrackDiagram } from './track-diagram.tsx';
import { usePanelClock, useScrollWithTime } from './use-panel-clock.ts';
import { usePanelInput } from './use-panel-input.tsx';

/** The timeline of all sessions that are active or were recently. */
export function Panel() {
  const { windowMs, chosen, choose } = useTimeWindow();
  const lines = useLines(windowMs);
  const field = useRef<HTMLDivElement>(null);
  const moving = useRef<SVGGElement>(null);
  const width = useWidth(field);
  const { now, base } = usePanelClock();
  const rows = rowsFor(useMedia(NARROW), lines.length);
  const scale = useMemo((): Scale => ({ base, windowMs, width }), [base, windowMs, width]);
  const isConnected = useApp((state) => state.disconnectedSince === undefined);
  const marks = useMemo(() => timeMarks(windowMs, isConnected ? 'now' : 'last update'), [windowMs, isConnected]);
  const input = usePanelInput({ lines, rows, scale, field, now });
  useScrollWithTime(moving, scale, now);
  return (
    <section className={`panel rows-${rows.name}`} aria-label="Panel">
      <div className="panel-axis">
        <TimeWindowPicker chosen={chosen} onChoose={choose} />
        {lines.length > 0 && <PanelMarks marks={marks} />}
      </div>
      <PanelNote isEmpty={lines.length === 0} />
      <div className="panel-body" {...input.pointer}>
        <ol className="panel-rows">
          {lines.map((line) => (
            <PanelRow key={line.id} {...panelRowProps(line)} />
          ))}
        </ol>
        <div className="panel-field" ref={field}>
          <TrackDiagram
            lines={lines}
            scale={scale}
            rows={rows}
            now={now()}
            pixelRatio={1}
            marks={marks.map(({ share }) => share)}
            moving={moving}
            ring={input.ring}
          />
          {input.tip}
        </div>
        {lines.length > 0 && <PanelCursor input={input} />}
      </div>
    </section>
  );
}

const PanelMarks = ({ marks }: { readonly marks: readonly TimeMark[] }) => (
  <div className="panel-marks" aria-hidden="true">
    {marks.map(({ share, label }) => (
      <span key={label} style={{ left: `${share * 100}%` }}>
        {label}
      </span>
    ))}
  </div>
);

/** Below this width a track is drawn under its title. The style sheet has the same width. */
const NARROW = '(max-width: 640px)';

function useLines(windowMs: number): readonly Line[] {
  const sessions = useApp((state) => state.sessions);
  const tracks = useApp((state) => state.panel.tracks);
  const plans = useApp((state) => state.planNews);
  // Lines leave the panel once a minute, not with every tick.
  const minute = useApp((state) => Math.floor(panelNow(state) / MINUTE));
  return useMemo(() => linesOf(sessions.values(), tracks, minute * MINUTE - windowMs, plans), [sessions, tracks, minute, windowMs, plans]);
}

const MINUTE = 60_000;

/** The width of an element, measured before the first paint and on every change. */
function useWidth(of: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const element = of.current;
    if (element === null) return;
    const measure = () => setWidth(Math.floor(element.clientWidth));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [of]);
  return width;
}
