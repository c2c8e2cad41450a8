import { expect, test } from 'vitest';
import { mergePatch } from './merge-patch.ts';

const cases = [
  ['a new field', { a: 1 }, { b: 2 }, { a: 1, b: 2 }],
  ['a field replaced', { a: 1 }, { a: [2] }, { a: [2] }],
  ['a field removed', { a: 1, b: 2 }, { a: null }, { b: 2 }],
  ['removing a missing field', { b: 2 }, { a: null }, { b: 2 }],
  ['objects merged', { a: { b: 1, c: 2 } }, { a: { c: null, d: 3 } }, { a: { b: 1, d: 3 } }],
  ['a list is replaced whole', { a: [1, 2] }, { a: [3] }, { a: [3] }],
  ['an object where a list was', { a: [1] }, { a: { b: 1 } }, { a: { b: 1 } }],
  ['null inside a new object is dropped', {}, { a: { b: null } }, { a: {} }],
] as const;

for (const [name, target, patch, expected] of cases) test(`merge patch: ${name}`, () => expect(mergePatch(target, patch)).toEqual(expected));
