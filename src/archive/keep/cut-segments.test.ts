import { expect, test } from 'vitest';
import { linesOf } from '../../../test/support/archive/sample-lines.ts';
import { cut, SEGMENT } from './cut-segments.ts';

test('a segment ends with a line, is neither small nor large, and ends at the same line when more follows', () => {
  let rest = Buffer.from(linesOf(12 * SEGMENT.most));
  for (let found = cut(rest); !found.isOpen; found = cut(rest)) {
    expect(rest[found.length - 1]).toBe(10);
    expect(found.length).toBeGreaterThan(SEGMENT.least);
    expect(found.length).toBeLessThanOrEqual(SEGMENT.most);
    expect(cut(rest.subarray(0, Math.min(rest.length, SEGMENT.most)))).toEqual(found);
    rest = rest.subarray(found.length);
  }
  expect(rest.length).toBeLessThan(SEGMENT.most);
});

test('a short segment, or one that ends mid-line, is open', () => {
  expect(cut(Buffer.from('one\ntw'))).toEqual({ length: 6, isOpen: true });
  expect(cut(Buffer.alloc(0))).toEqual({ length: 0, isOpen: true });
});

test('a line longer than a segment is cut at the maximum size', () => {
  expect(cut(Buffer.alloc(3 * SEGMENT.most, 'x'))).toEqual({ length: SEGMENT.most, isOpen: false });
});
