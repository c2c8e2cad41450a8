import uPlot from 'uplot';
import { shortDay, unitText } from './number-text.ts';
import { SHADES, type Unit } from './stack.ts';

interface Bars {
  readonly days: readonly string[];
  /** Cumulative heights of the layers. */
  readonly heights: readonly (readonly number[])[];
  readonly unit: Unit;
  readonly onChoose: (day: number) => void;
}

/** Stacked bars: the highest sums are drawn first, lower ones over them. */
export function barPlot(root: HTMLElement, { days, heights, unit, onChoose }: Bars): uPlot {
  const ink = inksOf(root);
  const bars = uPlot.paths.bars?.({ size: [0.72, 40], gap: 1 });
  const topDown = heights.toReversed();
  const series = topDown.map((_, index): uPlot.Series => {
    const fill = ink.shades[topDown.length - 1 - index] ?? ink.label;
    return { fill, stroke: fill, width: 0, points: { show: false }, ...(bars !== undefined && { paths: bars }) };
  });
  const data: uPlot.AlignedData = [days.map((_, day) => day), ...topDown.map((layer) => [...layer])];
  const options: uPlot.Options = {
    width: root.clientWidth,
    height: root.clientHeight,
    legend: { show: false },
    padding: [8, 0, 0, 0],
    cursor: { y: false, points: { show: false }, drag: { x: false, y: false } },
    scales: { x: { time: false, range: () => [-0.6, days.length - 0.4] }, y: { range: (_plot, _min, max) => [0, max > 0 ? max * 1.05 : 1] } },
    axes: [
      {
        ...ink.axis,
        space: 64,
        size: 28,
        incrs: [1, 2, 7, 14, 28, 91, 182, 364],
        values: (_plot, ticks) => ticks.map((tick) => dayAt(days, tick)),
        grid: { show: false },
      },
      { ...ink.axis, size: 56, values: (_plot, ticks) => ticks.map((tick) => unitText(tick, unit)), grid: { stroke: ink.rule, width: 1 } },
    ],
    series: [{}, ...series],
    hooks: { setCursor: [(plot) => typeof plot.cursor.idx === 'number' && plot.cursor.event !== undefined && onChoose(plot.cursor.idx)] },
  };
  return new uPlot(options, data, root);
}

function dayAt(days: readonly string[], tick: number): string {
  const day = Number.isInteger(tick) ? days[tick] : undefined;
  return day === undefined ? '' : shortDay(day);
}

/** A canvas doesn't use the style sheet, so the colors are read from it. */
function inksOf(root: HTMLElement) {
  const style = getComputedStyle(root);
  const color = (name: string): string => style.getPropertyValue(name).trim();
  const axis = { stroke: color('--ink-3'), font: `11.5px ${color('--font')}`, ticks: { show: false } };
  return { axis, label: color('--ink-3'), rule: color('--rule'), shades: Array.from({ length: SHADES }, (_, index) => color(`--shade-${index}`)) };
}
