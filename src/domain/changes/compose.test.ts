import fc from 'fast-check';
import { expect, test } from 'vitest';
import { applied, patchBetween } from '../../../test/support/domain/patch-samples.ts';
import { compose } from './compose.ts';
import { countPatch, printPatch, readPatch } from './patch.ts';

const letters = fc.array(fc.constantFrom('a', 'b', 'c', 'd', '', '@@ -1 +1 @@', '--- x'), { maxLength: 40 });
const versions = fc.array(letters, { minLength: 2, maxLength: 6 });

test('[R247] consecutive edits composed into one patch turn the first text into the last', () => {
  fc.assert(
    fc.property(versions, (texts) => {
      const patches = texts.slice(1).map((text, at) => readPatch(patchBetween(texts[at] ?? [], text)) ?? []);
      const whole = patches.reduce((soFar, patch) => compose(soFar, patch) ?? [{ old: -1, fresh: 0, lines: [] }]);
      expect(applied(texts[0] ?? [], whole)).toEqual(texts.at(-1));
    }),
  );
});

test('a printed patch is read back unchanged', () => {
  fc.assert(
    fc.property(letters, letters, (before, after) => {
      const patch = patchBetween(before, after);
      expect(printPatch(readPatch(patch) ?? [])).toBe(patch);
    }),
  );
});

test('changes in two places of a file stay two hunks, numbered as in the file before and after both edits', () => {
  const text = Array.from({ length: 30 }, (_, n) => `line ${n + 1}`);
  const once = text.toSpliced(24, 1, 'later', 'and more');
  const twice = once.toSpliced(1, 1, 'earlier', 'and more', 'still');
  const whole = compose(readPatch(patchBetween(text, once)) ?? [], readPatch(patchBetween(once, twice)) ?? []) ?? [];
  expect(whole.map(({ old, fresh }) => [old, fresh])).toEqual([
    [0, 0],
    [21, 23],
  ]);
});

test('an edit and its reversal compose to an empty patch', () => {
  const [forth, back] = [patchBetween(['a', 'b', 'c'], ['a', 'X', 'c']), patchBetween(['a', 'X', 'c'], ['a', 'b', 'c'])];
  expect(compose(readPatch(forth) ?? [], readPatch(back) ?? [])).toEqual([]);
});

test('an edit is not composed if it was made to a different text than the previous edit left', () => {
  const [one, other] = [patchBetween(['a', 'b'], ['a', 'X']), patchBetween(['a', 'Y'], ['a', 'Z'])];
  expect(compose(readPatch(one) ?? [], readPatch(other) ?? [])).toBeUndefined();
});

const uncertain = [
  ['a count that does not match', '@@ -1,3 +1,2 @@\n a\n-b\n+c\n'],
  ['numbers that do not add up', '@@ -1,1 +1,2 @@\n a\n+b\n@@ -9,1 +9,1 @@\n-x\n+y\n'],
  ['hunks out of order', '@@ -9,1 +9,1 @@\n-x\n+y\n@@ -1,1 +1,1 @@\n-x\n+y\n'],
  ['a line with no sign', '@@ -1,1 +1,1 @@\n-x\n+y\noops\n'],
] as const;
for (const [name, patch] of uncertain) test(`a patch with ${name} is not trusted`, () => expect(readPatch(patch)).toBeUndefined());

test('a missing newline at the end is part of the line, and file names are not part of the patch', () => {
  const patch = '--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n';
  expect(readPatch(patch)?.[0]?.lines).toEqual([
    { sign: '-', text: 'a', noEnd: true },
    { sign: '+', text: 'a' },
  ]);
  expect(countPatch(patch)).toEqual({ additions: 1, deletions: 1 });
});

test('a patch that removes ten thousand lines is composed', () => {
  const text = Array.from({ length: 10_000 }, (_, n) => `${n}`);
  const removed = readPatch(patchBetween(text, [])) ?? [];
  const added = readPatch(patchBetween([], text)) ?? [];
  expect(compose(removed, added)).toEqual([]);
});

test('a rewrite of 200,000 lines is composed like any other', () => {
  const many = Array.from({ length: 200_000 }, (_, at) => ({ sign: '+' as const, text: `line ${at}` }));
  const first = [
    {
      old: 1,
      fresh: 1,
      lines: [
        { sign: '-' as const, text: 'a' },
        { sign: '+' as const, text: 'b' },
      ],
    },
  ];
  const second = [{ old: 1, fresh: 1, lines: [{ sign: '-' as const, text: 'b' }, ...many] }];
  expect(compose(first, second)?.[0]?.lines).toHaveLength(200_001);
});
