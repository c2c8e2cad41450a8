import { expect, test } from 'vitest';
import { pressureOf } from './pressure.ts';

const cases = [
  // [name, compactions, ended after the last, peak, share of the window, class]
  ['a fresh session', 0, false, 0, undefined, 'none'],
  ['an ended session that never compacted', 0, true, 12_000, undefined, 'none'],
  ['a peak just below the first bound', 0, false, 119_999, undefined, 'none'],
  ['a peak at the first bound', 0, false, 120_000, undefined, 'none'],
  ['a peak just over the first bound', 0, false, 120_001, undefined, 'moderate'],
  ['a large peak alone', 0, true, 190_000, undefined, 'moderate'],
  ['one compaction', 1, false, 1_000, undefined, 'moderate'],
  ['one compaction and the end', 1, true, 1_000, undefined, 'moderate'],
  ['one compaction, a peak just below the second bound', 1, false, 149_999, undefined, 'moderate'],
  ['one compaction, a peak at the second bound', 1, false, 150_000, undefined, 'moderate'],
  ['one compaction, a peak just over the second bound', 1, false, 150_001, undefined, 'high'],
  ['one compaction, a large peak and the end', 1, true, 151_000, undefined, 'high'],
  ['two compactions', 2, false, 1_000, undefined, 'high'],
  ['two compactions and the end', 2, true, 1_000, undefined, 'critical'],
  ['three compactions', 3, false, 1_000, undefined, 'critical'],
  ['four compactions', 4, false, 1_000, undefined, 'critical'],
  ['60 % of a small window', 0, false, 19_200, 0.6, 'none'],
  ['more than 60 % of a small window', 0, false, 19_201, 0.601, 'moderate'],
  ['90 % of the window', 0, false, 28_800, 0.9, 'moderate'],
  ['more than 90 % of the window', 0, false, 28_801, 0.901, 'high'],
  ['98 % of the window', 0, false, 31_360, 0.98, 'high'],
  ['more than 98 % of the window', 0, false, 31_361, 0.981, 'critical'],
  ['a usual window as full as the first bound', 0, false, 150_001, 0.75, 'moderate'],
  ['a huge window does not lower the class: peak', 0, false, 190_000, 0.19, 'moderate'],
  ['a huge window does not lower the class: compactions', 3, false, 190_000, 0.19, 'critical'],
] as const;

for (const [name, compactions, endedAfterLast, peakTokens, windowShare, expected] of cases) {
  test(`${name}: ${expected}`, () => expect(pressureOf({ compactions, endedAfterLast, peakTokens, windowShare })).toBe(expected));
}
