import { expect, test } from 'vitest';
import { PartialText } from './partial-text.ts';

const piece = (itemId: string, offset: number, text: string) => ({ type: 'delta', itemId, messageId: 'm', index: 0, kind: 'text', text, offset }) as const;
const texts = (deltas: readonly { itemId: string; text: string; offset: number }[]) => deltas.map(({ itemId, text, offset }) => [itemId, offset, text]);

test('pieces of one look are told as one, from where the last look ended', () => {
  const partial = new PartialText();
  partial.add(piece('a', 0, 'one '));
  partial.add(piece('a', 4, 'two '));
  expect(texts(partial.takeNew())).toEqual([['a', 0, 'one two ']]);
  partial.add(piece('a', 8, 'three'));
  expect(texts(partial.takeNew())).toEqual([['a', 8, 'three']]);
  expect(partial.takeNew()).toEqual([]);
});

test('items that are written at once are kept apart, in the order in which they were touched', () => {
  const partial = new PartialText();
  partial.add(piece('a', 0, 'a1'));
  partial.add(piece('b', 0, 'b1'));
  partial.add(piece('a', 2, 'a2'));
  expect(texts(partial.takeNew())).toEqual([
    ['a', 0, 'a1a2'],
    ['b', 0, 'b1'],
  ]);
});

test('what is known already is neither added nor told again', () => {
  const partial = new PartialText([{ itemId: 'a', messageId: 'm', index: 0, kind: 'text', text: 'known', offset: 0 }]);
  partial.add(piece('a', 0, 'kno'));
  expect(partial.takeNew()).toEqual([]);
  partial.add(piece('a', 3, 'wn and more'));
  expect(texts(partial.takeNew())).toEqual([['a', 5, ' and more']]);
  expect(texts(partial.full())).toEqual([['a', 0, 'known and more']]);
});

test('the whole has what was not told yet; a dropped item has nothing', () => {
  const partial = new PartialText();
  partial.add(piece('a', 0, 'told '));
  partial.takeNew();
  partial.add(piece('a', 5, 'fresh'));
  expect(texts(partial.full())).toEqual([['a', 0, 'told fresh']]);
  expect(partial.drop('a')).toBe(true);
  expect(partial.drop('a')).toBe(false);
  expect(partial.takeNew()).toEqual([]);
  partial.add(piece('a', 0, 'anew'));
  expect(texts(partial.takeNew())).toEqual([['a', 0, 'anew']]);
  expect(partial.clear()).toEqual(['a']);
  expect(partial.full()).toEqual([]);
});
