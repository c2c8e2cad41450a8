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

/** Bars on a canvas. The slider and the text below say the same, for screen readers. */
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
  // After every render: a new plot has no cursor yet.
  useEffect(() => markDay(plot.current, chosen));
  return <div ref={frame} className="day-plot" aria-hidden="true" />;
}

function markDay(plot: uPlot | undefined, day: number): void {
  if (plot === undefined || plot.cursor.idx === day) return;
  plot.setCursor({ left: plot.valToPos(day, 'x'), top: 0 }, false);
}

function onWidth(root: HTMLElement, callback: () => void): () => void {
  const observer = new ResizeObserver(callback);
  observer.observe(root);
  return () => observer.disconnect();
}

/** A canvas keeps the colors it was drawn with, so it is redrawn for a new theme. */
function onTheme(callback: () => void): () => void {
  const observer = new MutationObserver(callback);
  observer.observe(document.documentElement, { attributeFilter: ['data-theme'] });
  const system = matchMedia('(prefers-color-scheme: light)');
  system.addEventListener('change', callback);
  return () => {
    observer.disconnect();
    system.removeEventListener('change', callback);
  };
}
