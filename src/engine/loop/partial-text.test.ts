import { expect, test } from 'vitest';
import { PartialText } from './partial-text.ts';

const piece = (itemId: string, offset: number, text: string) => ({ type: 'delta', itemId, messageId: 'm', index: 0, kind: 'text', text, offset }) as const;
const texts = (deltas: readonly { itemId: string; text: string; offset: number }[]) => deltas.map(({ itemId, text, offset }) => [itemId, offset, text]);

test('pieces added since the last takeNew are returned as one, from where it ended', () => {
  const partial = new PartialText();
  partial.add(piece('a', 0, 'one '));
  partial.add(piece('a', 4, 'two '));
  expect(texts(partial.takeNew())).toEqual([['a', 0, 'one two ']]);
  partial.add(piece('a', 8, 'three'));
  expect(texts(partial.takeNew())).toEqual([['a', 8, 'three']]);
  expect(partial.takeNew()).toEqual([]);
});

test('items written at the same time are separate, in the order in which they were touched', () => {
  const partial = new PartialText();
  partial.add(piece('a', 0, 'a1'));
  partial.add(piece('b', 0, 'b1'));
  partial.add(piece('a', 2, 'a2'));
  expect(texts(partial.takeNew())).toEqual([
    ['a', 0, 'a1a2'],
    ['b', 0, 'b1'],
  ]);
});

test('known text is neither added nor returned again', () => {
  const partial = new PartialText([{ itemId: 'a', messageId: 'm', index: 0, kind: 'text', text: 'known', offset: 0 }]);
  partial.add(piece('a', 0, 'kno'));
  expect(partial.takeNew()).toEqual([]);
  partial.add(piece('a', 3, 'wn and more'));
  expect(texts(partial.takeNew())).toEqual([['a', 5, ' and more']]);
  expect(texts(partial.full())).toEqual([['a', 0, 'known and more']]);
});

test('the full text includes what was not taken yet, and a dropped item has none', () => {
  const partial = new PartialText();
  partial.add(piece('a', 0, 'sent '));
  partial.takeNew();
  partial.add(piece('a', 5, 'fresh'));
  expect(texts(partial.full())).toEqual([['a', 0, 'sent fresh']]);
  expect(partial.drop('a')).toBe(true);
  expect(partial.drop('a')).toBe(false);
  expect(partial.takeNew()).toEqual([]);
  partial.add(piece('a', 0, 'again'));
  expect(texts(partial.takeNew())).toEqual([['a', 0, 'again']]);
  expect(partial.clear()).toEqual(['a']);
  expect(partial.full()).toEqual([]);
});
