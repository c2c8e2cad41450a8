const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

export interface TimeMark {
  /** From the left edge of the window, 0 to 1. */
  readonly share: number;
  readonly label: string;
}

/** A few marks and now are enough to read an age. */
const STEPS: readonly (readonly [windowMs: number, stepMs: number])[] = [
  [5 * MINUTE, MINUTE],
  [15 * MINUTE, 5 * MINUTE],
  [HOUR, 15 * MINUTE],
  [4 * HOUR, HOUR],
];

/** `lastLabel` marks the right edge: now, or the last update while offline. */
export function timeMarks(windowMs: number, lastLabel: string): readonly TimeMark[] {
  const step = STEPS.find(([window]) => window === windowMs)?.[1] ?? windowMs / 3;
  const count = Math.round(windowMs / step);
  return Array.from({ length: count + 1 }, (_, index) => ({
    share: index / count,
    label: index === count ? lastLabel : agoLabel((count - index) * step, index === 0),
  }));
}

function agoLabel(ms: number, isFirst: boolean): string {
  const label = ms % HOUR === 0 ? `${ms / HOUR} h` : `${ms / MINUTE}`;
  return isFirst ? `${ms % HOUR === 0 ? label : `${label} min`} ago` : label;
}
