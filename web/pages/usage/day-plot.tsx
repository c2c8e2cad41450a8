import { useEffect, useRef } from 'react';
import type uPlot from 'uplot';
import { barPlot } from './bar-plot.ts';
import { type Layer, stacked, type Unit } from './stack.ts';

interface DayPlotProps {
  readonly days: readonly string[];
  readonly layers: readonly Layer[];
  readonly unit: Unit;
  readonly chosen: number;
  readonly onChoose: (day: number) => void;
}

/** Bars on a canvas. It says nothing that the words and the slider beside it do not say. */
export function DayPlot({ days, layers, unit, chosen, onChoose }: DayPlotProps) {
  const frame = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | undefined>(undefined);
  const choose = useRef(onChoose);
  choose.current = onChoose;
  useEffect(() => {
    const root = frame.current;
    if (root === null) return;
    const draw = () => {
      plot.current?.destroy();
      plot.current = barPlot(root, { days, heights: stacked(layers), unit, onChoose: (day) => choose.current(day) });
    };
    draw();
    const ends = [onWidth(root, () => plot.current?.setSize({ width: root.clientWidth, height: root.clientHeight })), onTheme(draw)];
    return () => {
      for (const end of ends) end();
      plot.current?.destroy();
      plot.current = undefined;
    };
  }, [days, layers, unit]);
  // After every drawing: a new plot has no mark yet.
  useEffect(() => markDay(plot.current, chosen));
  return <div ref={frame} className="day-plot" aria-hidden="true" />;
}

function markDay(plot: uPlot | undefined, day: number): void {
  if (plot === undefined || plot.cursor.idx === day) return;
  plot.setCursor({ left: plot.valToPos(day, 'x'), top: 0 }, false);
}

function onWidth(root: HTMLElement, tell: () => void): () => void {
  const observer = new ResizeObserver(tell);
  observer.observe(root);
  return () => observer.disconnect();
}

/** A canvas keeps the colours it was drawn with. */
function onTheme(tell: () => void): () => void {
  const observer = new MutationObserver(tell);
  observer.observe(document.documentElement, { attributeFilter: ['data-theme'] });
  const system = matchMedia('(prefers-color-scheme: light)');
  system.addEventListener('change', tell);
  return () => {
    observer.disconnect();
    system.removeEventListener('change', tell);
  };
}
