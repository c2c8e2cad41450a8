import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { SessionTimeline } from '../../protocol/api/timeline.ts';
import { axisOf, placeOf } from './axis.ts';

const timeline = (spans: readonly (readonly [number, number])[]): SessionTimeline => ({
  from: '2026-01-01T00:00:00.000Z',
  to: '2026-01-01T10:00:00.000Z',
  turns: spans.map(([atMs, endMs], at) => ({ seq: at + 1, lastSeq: at + 1, atMs, endMs, count: 1, outcome: 'done', tools: 0 })),
  tools: [],
  waits: [],
  context: [],
  compactions: [],
  seq: 1,
});

test('a night between two turns is compressed and marked as idle', () => {
  const axis = axisOf(
    timeline([
      [0, 60_000],
      [30_000_000, 30_060_000],
    ]),
  );
  expect(axis.map(({ isIdle }) => isIdle)).toEqual([false, true, false]);
  expect((axis[1]?.to ?? 1) - (axis[1]?.from ?? 0)).toBeLessThan(0.05);
  expect([placeOf(axis, 0), placeOf(axis, 30_060_000)]).toEqual([0, 1]);
});

test('times are drawn in order and within the axis', () => {
  const span = fc.tuple(fc.nat(36_000_000), fc.nat(1_000_000)).map(([at, long]) => [at, at + long] as const);
  fc.assert(
    fc.property(fc.array(span, { maxLength: 30 }), fc.nat(40_000_000), fc.nat(40_000_000), (spans, a, b) => {
      const axis = axisOf(timeline(spans));
      const [early, late] = [placeOf(axis, Math.min(a, b)), placeOf(axis, Math.max(a, b))];
      expect(early).toBeGreaterThanOrEqual(0);
      expect(late).toBeLessThanOrEqual(1 + 1e-9);
      expect(late).toBeGreaterThanOrEqual(early - 1e-9);
    }),
  );
});

test('an empty session has an axis too', () => {
  expect(placeOf(axisOf(timeline([])), 0)).toBe(0);
});
