import { expect, test } from 'vitest';
import { patchFromNumbered, patchOf } from './diff.ts';

test('a diff with numbered lines becomes hunks', () => {
  expect(patchFromNumbered(' 1 one\n-2 two\n+2 TWO\n 3 three')).toBe('@@ -1,3 +1,3 @@\n one\n-two\n+TWO\n three\n');
});

test('a gap starts a new hunk, shifted by the lines added before', () => {
  const diff = '-1 a\n+1 A\n+2 B\n 2 c\n   ...\n  9 i\n-10 j\n+11 J';
  expect(patchFromNumbered(diff)).toBe('@@ -1,2 +1,3 @@\n-a\n+A\n+B\n c\n@@ -9,2 +10,2 @@\n i\n-j\n+J\n');
});

test('lines that only add start after the line before them', () => {
  expect(patchFromNumbered('+4 new')).toBe('@@ -3,0 +4,1 @@\n+new\n');
});

test('a patch is used as it is, without the file names', () => {
  expect(patchOf({ patch: '--- e.txt\n+++ e.txt\n@@ -1 +1 @@\n-a\n+b\n', diff: 'x' })).toBe('@@ -1 +1 @@\n-a\n+b\n');
  expect(patchOf({})).toBeUndefined();
  expect(patchOf(undefined)).toBeUndefined();
});
