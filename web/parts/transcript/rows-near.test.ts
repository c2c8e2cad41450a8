import { describe, expect, it } from 'vitest';
import { REACH_PX, rowsNear } from './rows-near.ts';

const seen = { startIndex: 10, endIndex: 12, overscan: 4, count: 40 };

describe('rowsNear', () => {
  it('renders up to `overscan` short rows on either side of the screen', () => {
    expect(rowsNear(seen, () => 20)).toEqual([6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]);
  });

  it('stops at the row that reaches the limit', () => {
    expect(rowsNear(seen, () => REACH_PX)).toEqual([9, 10, 11, 12, 13]);
    expect(rowsNear(seen, () => REACH_PX - 1)).toEqual([8, 9, 10, 11, 12, 13, 14]);
  });

  it('stops at the first and last row', () => {
    expect(rowsNear({ startIndex: 1, endIndex: 2, overscan: 4, count: 4 }, () => 20)).toEqual([0, 1, 2, 3]);
  });

  it('renders only the rows on screen without overscan', () => {
    expect(rowsNear({ ...seen, overscan: 0 }, () => 20)).toEqual([10, 11, 12]);
  });
});
