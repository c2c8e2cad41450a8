import { expect, test } from 'vitest';
import { evenLayout, layoutFor, moved, parsed, resized, TileLayout } from './tile-layout.ts';

const SHAPES = [
  [1, 1, 1],
  [2, 2, 1],
  [3, 3, 1],
  [4, 2, 2],
  [5, 3, 2],
  [6, 3, 2],
] as const;
for (const [count, columns, rows] of SHAPES) {
  test(`${count} tiles are ${columns} wide and ${rows} high, and can be saved`, () => {
    const layout = evenLayout(['a', 'b', 'c', 'd', 'e', 'f'].slice(0, count));
    expect([layout.columns, layout.widths.length, layout.heights.length]).toEqual([columns, columns, rows]);
    expect(TileLayout.parse(JSON.parse(JSON.stringify(layout)))).toEqual(layout);
  });
}

test('an address lists each session once, six at most, and invalid ids are ignored', () => {
  expect(parsed(['a', ' b', 'a', '', '../c', 'd', 'e', 'f', 'g', 'h'])).toEqual(['a', 'b', 'd', 'e', 'f', 'g']);
});

test('saved sizes apply to the same number of sessions, whichever they are', () => {
  const saved = { ...evenLayout(['a', 'b']), widths: [70, 30] };
  expect(layoutFor(['c', 'd'], saved).widths).toEqual([70, 30]);
  expect(layoutFor(['c', 'd', 'e'], saved)).toEqual(evenLayout(['c', 'd', 'e']));
  expect(layoutFor(['a', 'b'], { ...saved, widths: [100] })).toEqual(evenLayout(['a', 'b']));
});

test('resizing takes from the neighbor, and neither gets too small to use', () => {
  expect(resized([50, 50], 0, 10)).toEqual([60, 40]);
  expect(resized([50, 50], 1, 10)).toEqual([40, 60]);
  expect(resized([30, 30, 40], 1, 100)).toEqual([30, 55, 15]);
  expect(resized([100], 0, 10)).toEqual([100]);
});

test('a tile swaps with its neighbor and stays put at the ends', () => {
  expect(moved(['a', 'b', 'c'], 'a', 1)).toEqual(['b', 'a', 'c']);
  expect(moved(['a', 'b', 'c'], 'a', -1)).toEqual(['a', 'b', 'c']);
  expect(moved(['a', 'b', 'c'], 'x', 1)).toEqual(['a', 'b', 'c']);
});
