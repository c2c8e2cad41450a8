import { expect, test } from 'vitest';
import { lineDiff } from './line-diff.ts';
import { additions, parsePatch } from './patch.ts';

const signs = { add: '+', del: '-', same: ' ', hunk: '@' } as const;
const drawn = (lines: ReturnType<typeof parsePatch>) => lines.map((line) => signs[line.kind] + line.text);

test('a patch is read by hunks, without file headers, and lines that look like signs stay text', () => {
  const patch = '--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@ head\n same\n--- not a header\n+++ nor this\n\\ No newline at end of file\n';

  expect(drawn(parsePatch(patch))).toEqual(['@@@ 1 head', ' same', '--- not a header', '+++ nor this']);
});

test('lines carry their numbers on both sides', () => {
  const [, same, deleted, added] = parsePatch('@@ -10,2 +20,2 @@\n a\n-b\n+c\n');

  expect([same, deleted, added]).toMatchObject([{ oldLine: 10, newLine: 20 }, { oldLine: 11 }, { newLine: 21 }]);
});

test('an edit that is only asked for shows what stays and what is replaced', () => {
  expect(drawn(lineDiff('a\nb\nc', 'a\nB\nc'))).toEqual([' a', '-b', '+B', ' c']);
  expect(drawn(lineDiff('a', 'a'))).toEqual([' a']);
  expect(drawn(additions('x\ny\n'))).toEqual(['+x', '+y']);
});

test('lines that stay between two changes stay in the difference', () => {
  expect(drawn(lineDiff('a\nkeep\nb\nend', 'A\nkeep\nB\nnew\nend'))).toEqual(['-a', '+A', ' keep', '-b', '+B', '+new', ' end']);
  expect(drawn(lineDiff('', 'a'))).toEqual(['+a']);
});
