import { expect, test } from 'vitest';
import { limitText } from './limit-text.ts';

test.each([
  ['five_hour', '5-hour limit'],
  ['seven_day', 'weekly limit'],
  ['seven_day_opus', 'weekly opus limit'],
  ['demo limit', 'demo limit'],
  ['requests', 'requests limit'],
])('the limit "%s" is called the %s', (kind, name) => {
  expect(limitText(kind, true)).toBe(`Close to the ${name}`);
  expect(limitText(kind, false).toLowerCase()).toBe(`${name} reached`);
});
