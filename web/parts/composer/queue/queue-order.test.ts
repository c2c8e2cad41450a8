import { expect, test } from 'vitest';
import { moveTarget } from './queue-order.ts';

const order = ['a', 'b', 'c'];
const cases = [
  ['b', 'up', 'a'],
  ['c', 'up', 'b'],
  ['a', 'down', 'c'],
  ['b', 'down', null],
  ['a', 'up', undefined],
  ['c', 'down', undefined],
  ['x', 'up', undefined],
] as const;
for (const [commandId, by, before] of cases) {
  test(`${commandId} moved ${by} goes before ${before}`, () => expect(moveTarget(order, commandId, by)).toBe(before));
}
