import { expect, test } from 'vitest';
import { foldText } from './fold-text.ts';

test('a short command is shown in full', () => {
  expect(foldText('npm test')).toBeUndefined();
  expect(foldText(Array(14).fill('x').join('\n'))).toBeUndefined();
});

test('a long command shows both ends and how much is hidden between them', () => {
  const lines = Array.from({ length: 40 }, (_, at) => `line ${at}`);
  const folded = foldText(lines.join('\n'));

  expect(folded?.head.split('\n')).toEqual(lines.slice(0, 8));
  expect(folded?.tail.split('\n')).toEqual(lines.slice(-3));
  expect(folded?.label).toBe('Show 29 more lines');
});

test('a very long line is folded too, and its end stays visible', () => {
  const folded = foldText(`${'a'.repeat(5000)} && rm -rf /`);

  expect(folded?.tail.endsWith('&& rm -rf /')).toBe(true);
  expect(folded?.label).toBe('Show 3,712 more characters');
});
