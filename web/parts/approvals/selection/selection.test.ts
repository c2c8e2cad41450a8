import { expect, test } from 'vitest';
import { nextWaiting, type RequestPhase, type Selected, type Selection, settled, stepFrom, withoutKeys } from './selection.ts';

const shown = (phases: Readonly<Record<string, RequestPhase>>) => new Map(Object.entries(phases));
const on = (requestId: string, chosen: Selection['chosen'] = 'by-user', at = 0): Selection => ({ requestId, chosen, at });

const cases: readonly (readonly [string, Selected, Readonly<Record<string, RequestPhase>>, Selected])[] = [
  ['the first pending request when a page opens', undefined, { a: 'decided', b: 'waiting', c: 'waiting' }, on('b', 'at-open', 1)],
  ['the first request that appears after all cards were gone', 'none', { a: 'waiting' }, on('a', 'by-itself')],
  ['the same request when others come and go', on('b', 'by-user', 1), { x: 'waiting', a: 'waiting', b: 'waiting' }, on('b', 'by-user', 2)],
  ['the next request after an answer given here', on('a'), { a: 'answered', b: 'waiting' }, on('b', 'after-answer', 1)],
  ['the answered request while no other is pending', on('a'), { a: 'answered', b: 'decided' }, on('a')],
  ['the request that was decided elsewhere, and no other', on('a'), { a: 'decided', b: 'waiting' }, on('a')],
  ['the position of a request that is gone, and no other', on('b', 'by-user', 1), { a: 'waiting', c: 'waiting' }, on('b', 'by-user', 1)],
  ['nothing when all cards are gone', on('a'), {}, 'none'],
  ['nothing before any card was shown', undefined, {}, undefined],
];
for (const [name, before, phases, after] of cases) {
  test(`the selection is ${name}`, () => expect(settled(before, shown(phases))).toEqual(after));
}

test('a selection that loses the keys has to wait for them when it gets them back', () => {
  expect(withoutKeys(on('a', 'by-user'))).toEqual(on('a', 'by-itself'));
  expect(withoutKeys('none')).toBe('none');
});

test('after an answer the next pending card below is next, otherwise the nearest above', () => {
  const cards = shown({ a: 'waiting', b: 'decided', c: 'waiting' });
  expect(nextWaiting(cards, 'a')).toBe('c');
  expect(nextWaiting(cards, 'c')).toBe('a');
  expect(nextWaiting(shown({ a: 'waiting' }), 'a')).toBeUndefined();
});

test('arrows stop at the ends, and continue from the position of a card that is gone', () => {
  const cards = shown({ a: 'waiting', b: 'waiting', c: 'waiting' });
  expect(stepFrom(cards, on('a'), -1)).toBe('a');
  expect(stepFrom(cards, on('a'), 1)).toBe('b');
  expect(stepFrom(cards, on('c'), 1)).toBe('c');
  expect(stepFrom(cards, on('gone', 'by-user', 1), 1)).toBe('b');
  expect(stepFrom(cards, on('gone', 'by-user', 1), -1)).toBe('a');
  expect(stepFrom(cards, undefined, 1)).toBe('a');
});
