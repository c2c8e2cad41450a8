import { expect, test } from 'vitest';
import { patchBetween } from './file-patch.ts';

const lines = (...some: (string | number)[]): string => some.map((line) => `${line}\n`).join('');

const cases = [
  ['nothing changed', lines('a'), lines('a'), ''],
  ['a new file', '', lines('a', 'b'), '@@ -0,0 +1,2 @@\n+a\n+b\n'],
  ['everything removed', lines('a'), '', '@@ -1,1 +0,0 @@\n-a\n'],
  ['a line in the middle', lines(1, 2, 3, 4, 5, 6, 7, 8, 9), lines(1, 2, 3, 4, 'five', 6, 7, 8, 9), '@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n'],
  ['a line at the end', lines('a', 'b'), lines('a', 'b', 'c'), '@@ -1,2 +1,3 @@\n a\n b\n+c\n'],
  ['a line at the start', lines('a'), lines('z', 'a'), '@@ -1,1 +1,2 @@\n+z\n a\n'],
  ['a repeated line', lines('a', 'a'), lines('a', 'a', 'a'), '@@ -1,2 +1,3 @@\n a\n a\n+a\n'],
] as const;
for (const [name, before, after, patch] of cases) test(`the patch for ${name}`, () => expect(patchBetween(before, after)).toBe(patch));
