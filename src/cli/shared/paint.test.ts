import { expect, test } from 'vitest';
import { printable, printableLine } from './paint.ts';

const invisible = [
  ['a Hangul filler', '\u3164', '\\u{3164}'],
  ['a no-break space', '\u00a0', '\\xa0'],
  ['a leading filler', '\u115f', '\\u{115f}'],
  ['a lone variation selector', '\u{e0100}', '\\u{e0100}'],
  ['an empty braille pattern', '\u2800', '\\u{2800}'],
  ['a carriage return that would overwrite the line', '\r', '\\x0d'],
  ['an escape', '\u001b', '\\x1b'],
] as const;
for (const [name, char, shown] of invisible) {
  test(`${name} is shown escaped`, () => expect(printable(`a${char}b`)).toBe(`a${shown}b`));
}

test('line breaks and tabs are kept, and CRLF becomes LF', () => {
  expect(printable('a\tb\r\nc\n')).toBe('a\tb\nc\n');
});

test('a name stays in one line', () => {
  expect(printableLine('a.ts\n\tr:9  allowed\r')).toBe('a.ts\\n\\tr:9  allowed\\x0d');
});
