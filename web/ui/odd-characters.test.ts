import { expect, test } from 'vitest';
import { oddCount, piecesOf } from './odd-characters.ts';

const drawn = (text: string) => piecesOf(text).map((piece) => (piece.kind === 'plain' ? piece.text : `<${piece.code}>`));

test('[R128] what turns text around or cannot be seen is drawn as its number', () => {
  expect(drawn('rm \u202e/x\u200b\u001b[2K')).toEqual(['rm ', '<U+202E>', '/x', '<U+200B>', '<U+001B>', '[2K']);
  expect(drawn('a\u00a0b\u{e0041}c')).toEqual(['a', '<U+00A0>', 'b', '<U+E0041>', 'c']);
});

test('line ends, tabs, other scripts and pictures are plain text', () => {
  expect(oddCount('ls\n\tשלום grün 日本 🚂')).toBe(0);
});

test('a carriage return, which would overwrite the line, is odd', () => {
  expect(piecesOf('safe\rrm')).toContainEqual({ kind: 'odd', code: 'U+000D', name: 'carriage return' });
});
