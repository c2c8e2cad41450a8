import { expect, test } from 'vitest';
import { printable, printableLine } from './paint.ts';

const unseen = [
  ['a Hangul filler', '\u3164', '\\u{3164}'],
  ['a no-break space', '\u00a0', '\\xa0'],
  ['a leading filler', '\u115f', '\\u{115f}'],
  ['a variation of nothing', '\u{e0100}', '\\u{e0100}'],
  ['an empty braille sign', '\u2800', '\\u{2800}'],
  ['a carriage return that would overwrite the line', '\r', '\\x0d'],
  ['an escape', '\u001b', '\\x1b'],
] as const;
for (const [name, char, shown] of unseen) {
  test(`${name} is shown, not obeyed`, () => expect(printable(`a${char}b`)).toBe(`a${shown}b`));
}

test('lines and tabs of a text stay, and so do lines that end in two characters', () => {
  expect(printable('a\tb\r\nc\n')).toBe('a\tb\nc\n');
});

test('a name stays in one line', () => {
  expect(printableLine('a.ts\n\tr:9  allowed\r')).toBe('a.ts\\n\\tr:9  allowed\\x0d');
});
