import { expect, test } from 'vitest';
import { hoursText, joinNames, moneyText, shortNumber } from './number-text.ts';

const counts = [
  [0, '0'],
  [999, '999'],
  [1_000, '1k'],
  [1_550, '1.6k'],
  [99_400, '99k'],
  [999_499, '999k'],
  [999_500, '1M'],
  [12_345_678, '12M'],
  [3_200_000_000, '3.2B'],
] as const;
for (const [count, text] of counts) test(`${count} tokens are written as ${text}`, () => expect(shortNumber(count)).toBe(text));

const sums = [
  [0, '$0'],
  [0.0001, '< $0.001'],
  [0.0123, '$0.012'],
  [0.5, '$0.50'],
  [12.345, '$12.35'],
  [1234.5, '$1,235'],
] as const;
for (const [usd, text] of sums) test(`${usd} dollars are written as ${text}`, () => expect(moneyText(usd)).toBe(text));

test('time is rounded to minutes', () => {
  expect([0, 20_000, 61_000, 3_900_000].map(hoursText)).toEqual(['0 min', '< 1 min', '1 min', '1 h 5 min']);
});

test('names are joined', () => {
  expect([joinNames(['a']), joinNames(['a', 'b']), joinNames(['a', 'b', 'c'])]).toEqual(['a', 'a and b', 'a, b and c']);
});
