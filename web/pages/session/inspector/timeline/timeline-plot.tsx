import { Minus, Plus } from 'lucide-react';
import { type PointerEvent, useEffect, useMemo, useRef, useState } from 'react';
import { axisOf } from '../../../../../src/domain/timeline/axis.ts';
import type { SessionTimeline } from '../../../../../src/protocol/api/timeline.ts';
import { type Drawing, draw, GUTTER_PX, HEIGHT_PX, hit } from './draw.ts';
import { useCanvas } from './use-canvas.ts';
import { ALL, moved, type View, zoomed } from './view.ts';

interface TimelinePlotProps {
  readonly timeline: SessionTimeline;
  readonly highlighted: number | undefined;
  readonly onJump: (seq: number) => void;
}

const ZOOM_STEP = 0.6;
/** A shorter move is a click, not a drag. */
const DRAG_PX = 4;

/** The session on one axis, with zoom. The list below says the same, for screen readers. */
export function TimelinePlot({ timeline, highlighted, onJump }: TimelinePlotProps) {
  const axis = useMemo(() => axisOf(timeline), [timeline]);
  const [view, setView] = useState<View>(ALL);
  const [hint, setHint] = useState('');
  const [widthPx, setWidth] = useState(0);
  const frame = useRef<HTMLDivElement>(null);
  const dragged = useRef<{ readonly x: number; readonly view: View; isDrag: boolean }>(undefined);
  const nowMs = Math.max(0, Date.parse(timeline.to) - Date.parse(timeline.from));
  const drawing: Drawing = { timeline, axis, view, widthPx, nowMs, highlighted };
  const canvas = useCanvas((context, ink) => draw(context, drawing, ink), widthPx, HEIGHT_PX);
  useWidth(frame, setWidth);
  useWheel(frame, (by, share) => setView((before) => zoomed(before, by, before.from + share * (before.to - before.from))));
  const at = (event: PointerEvent) => hit(drawing, event.nativeEvent.offsetX, event.nativeEvent.offsetY);
  const around = (view.from + view.to) / 2;
  return (
    <div className="timeline-plot">
      <div
        ref={frame}
        className="timeline-frame"
        aria-hidden="true"
        onPointerDown={(event) => {
          dragged.current = { x: event.clientX, view, isDrag: false };
        }}
        onPointerMove={(event) => {
          const drag = dragged.current;
          if (drag === undefined) return setHint(at(event)?.text ?? '');
          drag.isDrag ||= Math.abs(event.clientX - drag.x) > DRAG_PX;
          if (drag.isDrag) setView(moved(drag.view, (drag.x - event.clientX) / Math.max(1, widthPx)));
        }}
        onPointerUp={(event) => {
          const found = dragged.current?.isDrag === false ? at(event) : undefined;
          dragged.current = undefined;
          if (found !== undefined) onJump(found.seq);
        }}
        onPointerLeave={() => {
          dragged.current = undefined;
          setHint('');
        }}
      >
        <canvas ref={canvas} />
      </div>
      <div className="timeline-tools">
        <p className="timeline-words">{hint || LEGEND}</p>
        <button
          type="button"
          className="icon-button"
          aria-label="Zoom out"
          disabled={view === ALL}
          onClick={() => setView(zoomed(view, 1 / ZOOM_STEP, around))}
        >
          <Minus size={15} aria-hidden="true" />
        </button>
        <button type="button" className="icon-button" aria-label="Zoom in" onClick={() => setView(zoomed(view, ZOOM_STEP, around))}>
          <Plus size={15} aria-hidden="true" />
        </button>
        <button type="button" className="text-button" onClick={() => setView(ALL)}>
          Show all
        </button>
      </div>
    </div>
  );
}

const LEGEND = 'Idle time is compressed.';

function useWidth(frame: React.RefObject<HTMLElement | null>, onWidth: (px: number) => void): void {
  useEffect(() => {
    const element = frame.current;
    if (element === null) return;
    const observer = new ResizeObserver(() => onWidth(element.clientWidth));
    observer.observe(element);
    return () => observer.disconnect();
  }, [frame, onWidth]);
}

/** React's own wheel listener is passive and can't stop the page from scrolling. */
function useWheel(frame: React.RefObject<HTMLElement | null>, zoom: (by: number, share: number) => void): void {
  const current = useRef(zoom);
  current.current = zoom;
  useEffect(() => {
    const element = frame.current;
    if (element === null) return;
    const onWheel = (event: WheelEvent) => {
      event.preventDefault();
      const box = element.getBoundingClientRect();
      current.current(event.deltaY > 0 ? 1 / ZOOM_STEP : ZOOM_STEP, (event.clientX - box.left - GUTTER_PX) / Math.max(1, box.width - GUTTER_PX));
    };
    element.addEventListener('wheel', onWheel, { passive: false });
    return () => element.removeEventListener('wheel', onWheel);
  }, [frame]);
}
