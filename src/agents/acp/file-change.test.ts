import { expect, test } from 'vitest';
import { changeOf } from './file-change.ts';

const diff = (oldText: string | null, newText: string) => changeOf({ type: 'diff', path: 'a.txt', oldText, newText }, '/p');
const lines = (from: number, to: number): string => Array.from({ length: to - from + 1 }, (_, n) => `l${from + n}\n`).join('');

test('a file that did not exist is created', () => {
  expect(diff(null, 'one\n')).toEqual({ kind: 'create', path: '/p/a.txt', patch: '@@ -0,0 +1,1 @@\n+one\n' });
});

const cases: readonly (readonly [string, string, string, string])[] = [
  ['a line changed', 'one\ntwo\nthree\n', 'one\nTWO\nthree\n', '@@ -1,3 +1,3 @@\n one\n-two\n+TWO\n three\n'],
  ['a line added at the end', 'one\n', 'one\ntwo\n', '@@ -1,1 +1,2 @@\n one\n+two\n'],
  ['a line removed from the start', 'one\ntwo\n', 'two\n', '@@ -1,2 +1,1 @@\n-one\n two\n'],
  ['everything removed', 'one\n', '', '@@ -1,1 +0,0 @@\n-one\n'],
  ['a change far from both ends', lines(1, 20), `${lines(1, 9)}X\n${lines(11, 20)}`, '@@ -7,7 +7,7 @@\n l7\n l8\n l9\n-l10\n+X\n l11\n l12\n l13\n'],
  ['a repeated line', 'a\na\n', 'a\n', '@@ -1,2 +1,1 @@\n a\n-a\n'],
];
for (const [name, before, after, patch] of cases) {
  test(`${name} is one hunk`, () => expect(diff(before, after).patch).toBe(patch));
}
