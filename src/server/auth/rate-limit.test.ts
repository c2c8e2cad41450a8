import { expect, test } from 'vitest';
import { createFailureLimit } from './rate-limit.ts';

test('the last allowed failure still passes; the next try has to wait until the minute is over', () => {
  let now = 0;
  const limit = createFailureLimit(3, () => now);
  for (let tries = 0; tries < 3; tries += 1) {
    expect(limit.waitSeconds('a')).toBe(0);
    limit.failed('a');
  }
  now = 20_000;
  expect(limit.waitSeconds('a')).toBe(40);
  now = 60_000;
  expect(limit.waitSeconds('a')).toBe(0);
});

test('one address does not lock out another', () => {
  const limit = createFailureLimit(1, () => 0);
  limit.failed('a');
  expect(limit.waitSeconds('a')).toBeGreaterThan(0);
  expect(limit.waitSeconds('b')).toBe(0);
});

test('a flood of addresses forgets the oldest instead of growing', () => {
  const limit = createFailureLimit(1, () => 0);
  limit.failed('first');
  for (let index = 0; index < 10_000; index += 1) limit.failed(`address ${index}`);
  expect(limit.waitSeconds('first')).toBe(0);
  expect(limit.waitSeconds('address 9999')).toBeGreaterThan(0);
});
