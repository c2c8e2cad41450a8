import { expect, test } from 'vitest';
import { formatRange, isInRange } from './version-range.ts';

const OPENCLAW_LIKE = '>=24.16.0 <25 || >=26.1.0';
const cases: readonly (readonly [version: string, range: string, isIn: boolean])[] = [
  ['20.20.2', '>=22.19', false],
  ['v22.19.0', '>=22.19', true],
  ['22.18.9', '>=22.19.0', false],
  ['24.16.0', OPENCLAW_LIKE, true],
  ['24.15.9', OPENCLAW_LIKE, false],
  ['25.0.0', OPENCLAW_LIKE, false],
  ['26.0.9', OPENCLAW_LIKE, false],
  ['26.1.0', OPENCLAW_LIKE, true],
  ['20.20.2', '^20.19.0 || >= 22.12.0', true],
  ['21.0.0', '^20.19.0 || >= 22.12.0', false],
  ['0.3.0', '^0.2.1', false],
  ['20.9.1', '~20.9', true],
  ['20.10.0', '~20.9', false],
  ['20.10.0', '~20', true],
  ['20.20.2', '20.x', true],
  ['22.0.0', '18 || 20', false],
  ['20.0.1', '>20.0', false],
  ['20.1.0', '>20.0', true],
  ['20.0.9', '<=20.0', true],
  ['20.20.2', '*', true],
  ['20.20.2', '=20.20.2', true],
  ['20.20.2', 'some words', true],
  ['20.20.2', '18 - 19', false],
  ['19.9.0', '18 - 19', true],
  ['unknown', '>=99', true],
];
for (const [version, range, isIn] of cases) {
  test(`${version} is ${isIn ? '' : 'not '}in the range ${range}`, () => expect(isInRange(version, range)).toBe(isIn));
}

test('a range is formatted for people', () => {
  expect(formatRange('>=22.19.0')).toBe('≥ 22.19');
  expect(formatRange(OPENCLAW_LIKE)).toBe('≥ 24.16 <25 or ≥ 26.1');
});
