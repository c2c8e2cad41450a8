import { useMemo, useRef } from 'react';
import { useMedia } from '../../../base/browser/use-media.ts';
import { useApp } from '../../../store/cockpit-context.ts';
import { panelNow } from '../../../store/state/app-state.ts';
import { type Line, linesOf } from './lines.ts';
import { type TimeMark, timeMarks } from './marks.ts';
import { PanelCursor } from './panel-cursor.tsx';
import { PanelNote } from './panel-note.tsx';
import { faceOf, PanelRow } from './panel-row.tsx';
import { Plan } from './plan.tsx';
import { rowsFor } from './rows.ts';
import type { Scale } from './scale.ts';
import { usePanelHand } from './use-panel-input.tsx';
import { usePanelTime } from './use-panel-time.ts';
import { usePassingTime } from './use-passing-time.ts';
import { useWidth } from './use-width.ts';
import { useWindow } from './use-window.ts';
import { WindowChoice } from './window-choice.tsx';

/** The track plan of all lines that move, wait or have just moved. */
export function Panel() {
  const { windowMs, chosen, choose } = useWindow();
  const lines = useLines(windowMs);
  const field = useRef<HTMLDivElement>(null);
  const moving = useRef<SVGGElement>(null);
  const width = useWidth(field);
  const { now, base } = usePanelTime();
  const rows = rowsFor(useMedia(NARROW), lines.length);
  const scale = useMemo((): Scale => ({ base, windowMs, width }), [base, windowMs, width]);
  const isHeard = useApp((state) => state.silentSince === undefined);
  const marks = useMemo(() => timeMarks(windowMs, isHeard ? 'now' : 'last heard'), [windowMs, isHeard]);
  const hand = usePanelHand({ lines, rows, scale, field, now });
  usePassingTime(moving, scale, now);
  return (
    <section className={`panel rows-${rows.name}`} aria-label="Panel">
      <div className="panel-axis">
        <WindowChoice chosen={chosen} onChoose={choose} />
        {lines.length > 0 && <PanelMarks marks={marks} />}
      </div>
      <PanelNote isEmpty={lines.length === 0} />
      <div className="panel-body" {...hand.pointer}>
        <ol className="panel-rows">
          {lines.map((line) => (
            <PanelRow key={line.session.id} {...faceOf(line)} />
          ))}
        </ol>
        <div className="panel-field" ref={field}>
          <Plan lines={lines} scale={scale} rows={rows} now={now()} pixelRatio={1} marks={marks.map(({ share }) => share)} moving={moving} ring={hand.ring} />
          {hand.tip}
        </div>
        {lines.length > 0 && <PanelCursor hand={hand} />}
      </div>
    </section>
  );
}

const PanelMarks = ({ marks }: { readonly marks: readonly TimeMark[] }) => (
  <div className="panel-marks" aria-hidden="true">
    {marks.map(({ share, words }) => (
      <span key={words} style={{ left: `${share * 100}%` }}>
        {words}
      </span>
    ))}
  </div>
);

/** From here on a track lies below its title; the style sheet has the same width. */
const NARROW = '(max-width: 640px)';

function useLines(windowMs: number): readonly Line[] {
  const sessions = useApp((state) => state.sessions);
  const tracks = useApp((state) => state.panel.tracks);
  // Lines leave the panel by the minute, not in the middle of one.
  const minute = useApp((state) => Math.floor(panelNow(state) / MINUTE));
  return useMemo(() => linesOf(sessions.values(), tracks, minute * MINUTE - windowMs), [sessions, tracks, minute, windowMs]);
}

const MINUTE = 60_000;
