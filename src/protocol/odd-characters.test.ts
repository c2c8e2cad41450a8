import { expect, test } from 'vitest';
import { linePiecesOf, oddCount, type Piece, piecesOf, safeJson, withoutCommands } from './odd-characters.ts';

const drawn = (text: string) => piecesOf(text).map(pieceText);

function pieceText(piece: Piece): string {
  switch (piece.kind) {
    case 'plain':
      return piece.text;
    case 'odd':
      return `<${piece.code}>`;
    case 'tab':
      return '<tab>';
    case 'blanks':
      return `<${piece.count} blanks>`;
  }
}

test('[R128] a character that reverses text or is invisible is drawn as its code', () => {
  expect(drawn('rm \u202e/x\u200b\u001b[2K')).toEqual(['rm ', '<U+202E>', '/x', '<U+200B>', '<U+001B>', '[2K']);
  expect(drawn('a\u00a0b\u{e0041}c')).toEqual(['a', '<U+00A0>', 'b', '<U+E0041>', 'c']);
});

test('line breaks, tabs, other scripts and emoji are plain text', () => {
  expect(oddCount('ls\n\tשלום grün 日本 🚂')).toBe(0);
});

test('a carriage return, which would overwrite the line, is odd', () => {
  expect(piecesOf('safe\rrm')).toContainEqual({ kind: 'odd', code: 'U+000D', name: 'carriage return' });
});

const invisible = [
  ['an empty braille sign', '\u2800', 'U+2800'],
  ['a private-use character', '\ue000', 'U+E000'],
  ['a private-use character of a higher plane', '\u{f0000}', 'U+F0000'],
  ['half of a surrogate pair', '\ud800', 'U+D800'],
  ['an empty Hangul sign', '\u3164', 'U+3164'],
  ['a Hangul filler', '\u115f', 'U+115F'],
  ['a variation selector without a base', '\u{e0100}', 'U+E0100'],
  ['an emoji selector without an emoji', '\ufe0f', 'U+FE0F'],
] as const;
for (const [name, char, code] of invisible) {
  test(`${name} is drawn as its code`, () => expect(drawn(`a${char}b`)).toEqual(['a', `<${code}>`, 'b']));
}

test('emoji and their selectors are plain', () => {
  expect(oddCount('❤️ 1️⃣ ✔️')).toBe(0);
});

test('many spaces in a row are counted, an indent is not', () => {
  expect(drawn(`a${' '.repeat(300)}b`)).toEqual(['a', '<300 blanks>', 'b']);
  expect(drawn(`${' '.repeat(20)}b`)).toEqual([`${' '.repeat(20)}b`]);
  expect(drawn('\ta')).toEqual(['<tab>', 'a']);
});

test('a line break in a name is odd', () => {
  expect(linePiecesOf('a.ts\nb').map(pieceText)).toEqual(['a.ts', '<U+000A>', 'b']);
});

const ATTACKS = '\u001b]52;c;aGk=\u0007 \u009b2J \u202egnp.exe \u2066x\u2069 \r\n\tend 👩\u200d💻';

test('[R824] a document shows escape sequences and direction changes instead of passing them on, and keeps emoji and line ends', () => {
  expect(withoutCommands(ATTACKS)).toBe('\\x1b]52;c;aGk=\\x07 \\x9b2J \\u{202e}gnp.exe \\u{2066}x\\u{2069} \n\tend 👩\u200d💻');
});

test('[R824] JSON for a terminal holds no such character and reads back the same', () => {
  const text = safeJson({ [ATTACKS]: [ATTACKS, null] });
  expect(text).toMatch(/^[\x20-\x7e👩💻]*$/u);
  expect(JSON.parse(text)).toEqual({ [ATTACKS]: [ATTACKS, null] });
});
