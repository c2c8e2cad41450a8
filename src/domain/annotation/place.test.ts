import fc from 'fast-check';
import { expect, test } from 'vitest';
import { proofCount } from '../../../test/support/proof-length.ts';
import type { Anchor } from '../../protocol/annotation.ts';
import { readPatch } from '../changes/patch.ts';
import { type LineRange, moveThrough } from './move-lines.ts';
import { placeOf } from './place.ts';

const anchorAt = (text: string, { from, to }: LineRange): Anchor => {
  const lines = text.split('\n');
  return { quote: lines.slice(from - 1, to).join('\n'), before: lines.slice(Math.max(0, from - 4), from - 1), after: lines.slice(to, to + 3) };
};

test('a comment follows its lines when lines are added and removed above them', () => {
  const before = 'a\nb\nc\nd\n';
  const anchor = anchorAt(before, { from: 3, to: 3 });
  expect(placeOf(anchor, { from: 3, to: 3 }, before, 'new\na\nb\nc\nd\n')).toEqual({ from: 4, to: 4 });
  expect(placeOf(anchor, { from: 3, to: 3 }, before, 'c\nd\n')).toEqual({ from: 1, to: 1 });
  expect(placeOf(anchor, { from: 3, to: 3 }, before, 'a\r\nb\r\nc\r\nd\r\n')).toEqual({ from: 3, to: 3 });
});

test('without the old file, a quote is found where it occurs once, or once with the same lines around it', () => {
  const anchor = { quote: 'x', before: ['one'], after: ['two'] };
  expect(placeOf(anchor, { from: 9, to: 9 }, undefined, 'a\nx\nb')).toEqual({ from: 2, to: 2 });
  expect(placeOf(anchor, { from: 9, to: 9 }, undefined, 'x\none\nx\ntwo\nx')).toEqual({ from: 3, to: 3 });
  expect(placeOf(anchor, { from: 9, to: 9 }, undefined, 'x\na\nx')).toBeUndefined();
  expect(placeOf(anchor, { from: 9, to: 9 }, undefined, '')).toBeUndefined();
});

const line = fc.constantFrom('', '}', 'let a = 1', 'let b = 2', 'return a', '  x', 'ü');
const lines = fc.array(line, { minLength: 1, maxLength: 12 });
const ends = fc.constantFrom('\n', '\r\n');

test('[R452] after any series of edits the place holds the quoted lines, or there is none', () => {
  const property = fc.property(
    lines,
    fc.nat(11),
    fc.nat(3),
    fc.array(fc.record({ at: fc.nat(12), remove: fc.nat(3), add: lines }), { maxLength: 6 }),
    ends,
    fc.boolean(),
    (start, at, more, edits, end, keepsFile) => {
      const from = (at % start.length) + 1;
      const range = { from, to: Math.min(start.length, from + more) };
      const before = start.join('\n');
      const after = edits.reduce((now, edit) => now.toSpliced(edit.at % (now.length + 1), edit.remove, ...edit.add), start);
      const place = placeOf(anchorAt(before, range), range, keepsFile ? before : undefined, after.join(end));
      if (place !== undefined) expect(after.slice(place.from - 1, place.to)).toEqual(start.slice(range.from - 1, range.to));
      if (edits.length === 0) expect(place).toEqual(range);
    },
  );
  fc.assert(property, { seed: 4750, numRuns: proofCount(1000) });
});

const moved = (patch: string, range: LineRange) => moveThrough(readPatch(patch) ?? [], range);

test('[R453] only an edit of the lines themselves touches them', () => {
  const range = { from: 5, to: 6 };
  expect(moved('@@ -1,2 +1,3 @@\n a\n+new\n b\n', range)).toEqual({ range: { from: 6, to: 7 }, touched: false });
  expect(moved('@@ -4,1 +3,0 @@\n-d\n', range)).toEqual({ range: { from: 4, to: 5 }, touched: false });
  expect(moved('@@ -7,1 +7,1 @@\n-g\n+G\n', range)).toEqual({ range, touched: false });
  expect(moved('@@ -4,3 +4,4 @@\n d\n-e\n+E\n+more\n f\n', range)).toEqual({ range: { from: 5, to: 7 }, touched: true });
  expect(moved('@@ -4,4 +4,5 @@\n d\n e\n+between\n f\n g\n', range)).toEqual({ range: { from: 5, to: 7 }, touched: true });
});
