import type { Range } from '@tanstack/react-virtual';

/** How far beyond the screen rows are drawn before someone scrolls there. */
export const REACH_PX = 400;

/** The rows on the screen, plus up to `overscan` rows on either side that start within `REACH_PX`: two long answers reach further than four tool lines. */
export function rowsNear({ startIndex, endIndex, overscan, count }: Range, heightOf: (index: number) => number): number[] {
  const reach = (from: number, by: -1 | 1): number => {
    let [at, px] = [from, 0];
    for (let rows = 0; rows < overscan && px < REACH_PX && at + by >= 0 && at + by < count; rows++) {
      at += by;
      px += heightOf(at);
    }
    return at;
  };
  const first = reach(startIndex, -1);
  return Array.from({ length: reach(endIndex, 1) - first + 1 }, (_, step) => first + step);
}
