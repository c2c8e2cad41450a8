import { expect, test } from 'vitest';
import { ALL, moved, zoomed } from './view.ts';

test('what is under the pointer stays there while zooming', () => {
  const near = zoomed(ALL, 0.5, 0.25);
  expect(near).toEqual({ from: 0.125, to: 0.625 });
  expect((0.25 - near.from) / (near.to - near.from)).toBeCloseTo(0.25);
});

test('zoom and position stay within limits', () => {
  expect(zoomed(ALL, 4, 0.5)).toEqual(ALL);
  expect(moved({ from: 0.5, to: 1 }, 3)).toEqual({ from: 0.5, to: 1 });
  expect(moved({ from: 0.5, to: 1 }, -3)).toEqual({ from: 0, to: 0.5 });
  const close = Array.from({ length: 60 }).reduce<typeof ALL>((view) => zoomed(view, 0.5, 0.5), ALL);
  expect(close.to - close.from).toBeCloseTo(1 / 2000);
});
