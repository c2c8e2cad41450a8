import { describe, expect, it } from 'vitest';
import { REACH_PX, rowsNear } from './rows-near.ts';

const seen = { startIndex: 10, endIndex: 12, overscan: 4, count: 40 };

describe('rowsNear', () => {
  it('draws so many short rows beyond the screen, on either side', () => {
    expect(rowsNear(seen, () => 20)).toEqual([6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]);
  });

  it('stops at the row that reaches far enough', () => {
    expect(rowsNear(seen, () => REACH_PX)).toEqual([9, 10, 11, 12, 13]);
    expect(rowsNear(seen, () => REACH_PX - 1)).toEqual([8, 9, 10, 11, 12, 13, 14]);
  });

  it('ends where the rows end', () => {
    expect(rowsNear({ startIndex: 1, endIndex: 2, overscan: 4, count: 4 }, () => 20)).toEqual([0, 1, 2, 3]);
  });

  it('draws nothing else when nothing else is asked for', () => {
    expect(rowsNear({ ...seen, overscan: 0 }, () => 20)).toEqual([10, 11, 12]);
  });
});
