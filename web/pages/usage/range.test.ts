import { expect, test } from 'vitest';
import { daysOf, everyDay } from './range.ts';

const now = Date.parse('2026-03-02T23:59:00.000Z');

test('a range ends today and has as many days as it says', () => {
  expect(daysOf('7', now)).toEqual({ from: '2026-02-24', to: '2026-03-02' });
  expect(everyDay('7', now, [])).toHaveLength(7);
  expect(everyDay('30', now, ['2026-02-20'])).toHaveLength(30);
  expect(daysOf('all', now)).toEqual({});
});

test('all time starts with the first day that has usage, and leaves no day out', () => {
  expect(everyDay('all', now, ['2026-02-27', '2026-03-01'])).toEqual(['2026-02-27', '2026-02-28', '2026-03-01', '2026-03-02']);
  expect(everyDay('all', now, [])).toEqual([]);
});

test('a day that the server has but this clock has not reached is shown', () => {
  expect(everyDay('7', now, ['2026-03-03']).at(-1)).toBe('2026-03-03');
});
