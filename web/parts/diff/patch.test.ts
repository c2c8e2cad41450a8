import { expect, test } from 'vitest';
import { lineDiff } from './line-diff.ts';
import { additions, fullPatch, parsePatch } from './patch.ts';

const signs = { add: '+', del: '-', same: ' ', hunk: '@', end: '\\' } as const;
const drawn = (lines: ReturnType<typeof parsePatch>) => lines.map((line) => signs[line.kind] + line.text);

test('a patch is read by hunks, without file headers, and lines that look like headers stay text', () => {
  const patch = '--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@ head\n same\n--- not a header\n+++ nor this\n\\ No newline at end of file\n';

  expect(drawn(parsePatch(patch))).toEqual(['@@@ 1 head', ' same', '--- not a header', '+++ nor this', '\\No newline at end of file']);
});

test('lines carry their numbers on both sides', () => {
  const [, same, deleted, added] = parsePatch('@@ -10,2 +20,2 @@\n a\n-b\n+c\n');

  expect([same, deleted, added]).toMatchObject([{ oldLine: 10, newLine: 20 }, { oldLine: 11 }, { newLine: 21 }]);
});

test('a change whose place is not known has no line numbers', () => {
  expect(parsePatch('@@ -0,1 +0,2 @@\n-a\n+b\n+c\n')).toEqual([
    { kind: 'hunk', text: '@@ line not reported' },
    { kind: 'del', text: 'a' },
    { kind: 'add', text: 'b' },
    { kind: 'add', text: 'c' },
  ]);
});

test('a requested edit shows what stays and what is replaced', () => {
  expect(drawn(lineDiff('a\nb\nc', 'a\nB\nc'))).toEqual([' a', '-b', '+B', ' c']);
  expect(drawn(lineDiff('a', 'a'))).toEqual([' a']);
  expect(drawn(additions('x\ny\n'))).toEqual(['+x', '+y']);
});

test('unchanged lines between two changes stay in the diff', () => {
  expect(drawn(lineDiff('a\nkeep\nb\nend', 'A\nkeep\nB\nnew\nend'))).toEqual(['-a', '+A', ' keep', '-b', '+B', '+new', ' end']);
  expect(drawn(lineDiff('', 'a'))).toEqual(['+a']);
});

const ends = [
  ['a deleted newline', '// verify\n', '// verify', ['-// verify', '+// verify', '\\No newline at end of file']],
  ['an added newline', 'a', 'a\nb\n', ['-a', '\\No newline at end of file', '+a', '+b']],
  ['no newline on both sides', 'a\nb', 'a', [' a', '-b']],
  ['a deleted line', 'x\n', '', ['-x', '\\including the line end']],
  ['nothing but a newline', '\n', '', ['-', '\\including the line end']],
  ['a text that is all new', '', 'x\n', ['+x']],
] as const;
for (const [name, before, after, expected] of ends) {
  test(`the last line end is part of a diff: ${name}`, () => expect(drawn(lineDiff(before, after))).toEqual(expected));
}

test('a file without a newline at its end says so', () => {
  expect(drawn(additions('x'))).toEqual(['+x', '\\No newline at end of file']);
});

test('every line of a requested patch is shown', () => {
  expect(drawn(fullPatch('*** Update File: b.ts\n@@\n a\n-b\n+c'))).toEqual(['@*** Update File: b.ts', '@@@', ' a', '-b', '+c']);
});
