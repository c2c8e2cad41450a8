import { expect, test } from 'vitest';
import { rankFiles } from './rank-files.ts';

const PATHS = ['src/cart/merge.ts', 'src/cart/merge.test.ts', 'docs/merging.md', 'src/emergency/exit.ts', 'README.md', 'src/mode/range.ts'];

const cases = [
  ['merge.ts', ['src/cart/merge.ts', 'src/cart/merge.test.ts']],
  ['merg', ['docs/merging.md', 'src/cart/merge.ts', 'src/cart/merge.test.ts', 'src/emergency/exit.ts']],
  ['README', ['README.md']],
  ['cart/me', ['src/cart/merge.ts', 'src/cart/merge.test.ts']],
  ['mgts', ['src/cart/merge.ts', 'src/cart/merge.test.ts']],
  ['t/mts', ['src/cart/merge.ts', 'src/cart/merge.test.ts']],
  ['nothing like it', []],
] as const;
for (const [find, expected] of cases)
  test(`“${find}” finds ${expected.length} files, best match first`, () => expect(rankFiles(PATHS, find, 10)).toEqual(expected));

test('before anything is typed, the files closest to the folder come first', () => {
  expect(rankFiles(PATHS, '', 2)).toEqual(['README.md', 'docs/merging.md']);
});
