import { expect, test } from 'vitest';
import { foldText } from './fold-text.ts';

test('a command that fits is shown whole', () => {
  expect(foldText('npm test')).toBeUndefined();
  expect(foldText(Array(14).fill('x').join('\n'))).toBeUndefined();
});

test('of a long command both ends are shown, and how much lies between', () => {
  const lines = Array.from({ length: 40 }, (_, at) => `line ${at}`);
  const folded = foldText(lines.join('\n'));

  expect(folded?.head.split('\n')).toEqual(lines.slice(0, 8));
  expect(folded?.tail.split('\n')).toEqual(lines.slice(-3));
  expect(folded?.words).toBe('Show 29 more lines');
});

test('one endless line is folded too, and its end is still seen', () => {
  const folded = foldText(`${'a'.repeat(5000)} && rm -rf /`);

  expect(folded?.tail.endsWith('&& rm -rf /')).toBe(true);
  expect(folded?.words).toBe('Show 3,712 more characters');
});
