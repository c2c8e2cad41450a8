import { expect, test } from 'vitest';
import { clockText, countdownText, durationText, momentText, numberText, wholeSeconds } from './format.ts';

const on = (year: number, month: number, day: number): Date => new Date(year, month, day, 8, 30);

test('a time on another day shows its date, and in another year the year too', () => {
  const at = on(2027, 0, 15).toISOString();
  expect(momentText(at, on(2027, 0, 15).getTime())).toBe(clockText(at));
  expect(momentText(at, on(2027, 0, 14).getTime())).toMatch(/15.*08:30$/);
  expect(momentText(at, on(2027, 0, 14).getTime())).not.toContain('2027');
  expect(momentText(at, on(2026, 10, 15).getTime())).toMatch(/2027.*08:30$/);
});

const counted = [
  [59, '59 s'],
  [61, '1 min 1 s'],
  [3 * 3600 + 120, '3 h 2 min'],
  [49 * 3600, '2 d 1 h'],
] as const;
for (const [seconds, words] of counted) test(`a countdown of ${seconds} s reads “${words}”`, () => expect(countdownText(seconds)).toBe(words));

test('hours and minutes have two digits each', () => {
  expect(clockText(new Date(2027, 0, 15, 0, 5).toISOString())).toBe('00:05');
  expect(clockText(new Date(2027, 0, 15, 23, 59).toISOString())).toBe('23:59');
});

test('numbers have a comma after every three digits', () => {
  expect([0, 999, 1000, 1204567, -1204, 1.5].map(numberText)).toEqual(['0', '999', '1,000', '1,204,567', '-1,204', '1.5']);
});

test('a duration is as precise as readable, and never shows sixty seconds', () => {
  expect([940, 1_000, 59_400, 59_700, 119_700, 3_599_800, 7_261_000].map(durationText)).toEqual([
    '940 ms',
    '1.0 s',
    '59 s',
    '1 min 0 s',
    '2 min 0 s',
    '1 h 0 min',
    '2 h 1 min',
  ]);
});

test('a running duration has no tenths', () => {
  expect([1, 9, 60, 3_600].map(wholeSeconds)).toEqual(['1 s', '9 s', '1 min 0 s', '1 h 0 min']);
});
