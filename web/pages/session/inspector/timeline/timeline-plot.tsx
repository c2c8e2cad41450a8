import { Minus, Plus } from 'lucide-react';
import { type PointerEvent, useEffect, useMemo, useRef, useState } from 'react';
import { axisOf } from '../../../../../src/domain/timeline/axis.ts';
import type { SessionTimeline } from '../../../../../src/protocol/api/timeline.ts';
import { draw, GUTTER_PX, HEIGHT_PX, hit, type Picture } from './draw.ts';
import { useDrawn } from './use-drawn.ts';
import { ALL, moved, type View, zoomed } from './view.ts';

interface TimelinePlotProps {
  readonly timeline: SessionTimeline;
  readonly lit: number | undefined;
  readonly onJump: (seq: number) => void;
}

const NEARER = 0.6;
/** Less than this is a click and no pull. */
const PULL_PX = 4;

/** The session on one axis. It says nothing that the list below does not say; the buttons and the wheel come nearer. */
export function TimelinePlot({ timeline, lit, onJump }: TimelinePlotProps) {
  const axis = useMemo(() => axisOf(timeline), [timeline]);
  const [view, setView] = useState<View>(ALL);
  const [words, setWords] = useState('');
  const [widthPx, setWidth] = useState(0);
  const frame = useRef<HTMLDivElement>(null);
  const pulled = useRef<{ readonly x: number; readonly view: View; isPull: boolean }>(undefined);
  const nowMs = Math.max(0, Date.parse(timeline.to) - Date.parse(timeline.from));
  const picture: Picture = { timeline, axis, view, widthPx, nowMs, lit };
  const canvas = useDrawn((context, ink) => draw(context, picture, ink), widthPx, HEIGHT_PX);
  useWidth(frame, setWidth);
  useWheel(frame, (by, share) => setView((before) => zoomed(before, by, before.from + share * (before.to - before.from))));
  const at = (event: PointerEvent) => hit(picture, event.nativeEvent.offsetX, event.nativeEvent.offsetY);
  const around = (view.from + view.to) / 2;
  return (
    <div className="timeline-plot">
      <div
        ref={frame}
        className="timeline-frame"
        aria-hidden="true"
        onPointerDown={(event) => {
          pulled.current = { x: event.clientX, view, isPull: false };
        }}
        onPointerMove={(event) => {
          const pull = pulled.current;
          if (pull === undefined) return setWords(at(event)?.words ?? '');
          pull.isPull ||= Math.abs(event.clientX - pull.x) > PULL_PX;
          if (pull.isPull) setView(moved(pull.view, (pull.x - event.clientX) / Math.max(1, widthPx)));
        }}
        onPointerUp={(event) => {
          const found = pulled.current?.isPull === false ? at(event) : undefined;
          pulled.current = undefined;
          if (found !== undefined) onJump(found.seq);
        }}
        onPointerLeave={() => {
          pulled.current = undefined;
          setWords('');
        }}
      >
        <canvas ref={canvas} />
      </div>
      <div className="timeline-tools">
        <p className="timeline-words">{words || LEGEND}</p>
        <button type="button" className="icon-button" aria-label="Farther" disabled={view === ALL} onClick={() => setView(zoomed(view, 1 / NEARER, around))}>
          <Minus size={15} aria-hidden="true" />
        </button>
        <button type="button" className="icon-button" aria-label="Nearer" onClick={() => setView(zoomed(view, NEARER, around))}>
          <Plus size={15} aria-hidden="true" />
        </button>
        <button type="button" className="text-button" onClick={() => setView(ALL)}>
          All
        </button>
      </div>
    </div>
  );
}

const LEGEND = 'Idle time is drawn short.';

function useWidth(frame: React.RefObject<HTMLElement | null>, tell: (px: number) => void): void {
  useEffect(() => {
    const element = frame.current;
    if (element === null) return;
    const observer = new ResizeObserver(() => tell(element.clientWidth));
    observer.observe(element);
    return () => observer.disconnect();
  }, [frame, tell]);
}

/** React's own wheel listener may not keep the page from scrolling. */
function useWheel(frame: React.RefObject<HTMLElement | null>, zoom: (by: number, share: number) => void): void {
  const current = useRef(zoom);
  current.current = zoom;
  useEffect(() => {
    const element = frame.current;
    if (element === null) return;
    const onWheel = (event: WheelEvent) => {
      event.preventDefault();
      const box = element.getBoundingClientRect();
      current.current(event.deltaY > 0 ? 1 / NEARER : NEARER, (event.clientX - box.left - GUTTER_PX) / Math.max(1, box.width - GUTTER_PX));
    };
    element.addEventListener('wheel', onWheel, { passive: false });
    return () => element.removeEventListener('wheel', onWheel);
  }, [frame]);
}
