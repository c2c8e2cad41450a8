const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

export interface TimeMark {
  /** From the left of the window. */
  readonly share: number;
  readonly words: string;
}

/** A few marks and now: enough to read an age by. */
const STEPS: readonly (readonly [windowMs: number, stepMs: number])[] = [
  [5 * MINUTE, MINUTE],
  [15 * MINUTE, 5 * MINUTE],
  [HOUR, 15 * MINUTE],
  [4 * HOUR, HOUR],
];

/** The last mark says whether it is now, or when something was last heard. */
export function timeMarks(windowMs: number, lastWords: string): readonly TimeMark[] {
  const step = STEPS.find(([window]) => window === windowMs)?.[1] ?? windowMs / 3;
  const count = Math.round(windowMs / step);
  return Array.from({ length: count + 1 }, (_, index) => ({
    share: index / count,
    words: index === count ? lastWords : agoWords((count - index) * step, index === 0),
  }));
}

function agoWords(ms: number, isFirst: boolean): string {
  const words = ms % HOUR === 0 ? `${ms / HOUR} h` : `${ms / MINUTE}`;
  return isFirst ? `${ms % HOUR === 0 ? words : `${words} min`} ago` : words;
}
