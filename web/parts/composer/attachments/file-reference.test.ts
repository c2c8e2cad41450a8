import { expect, test } from 'vitest';
import { contextText } from './context-text.ts';
import { parseFileReference } from './file-reference.ts';

const cases = [
  ['src/a.ts', { path: 'src/a.ts' }, 'src/a.ts'],
  ['src/a.ts:12', { path: 'src/a.ts', fromLine: 12, toLine: 12 }, 'src/a.ts:12'],
  [' a b.md:3-9 ', { path: 'a b.md', fromLine: 3, toLine: 9 }, 'a b.md:3–9'],
] as const;
for (const [typed, reference, chip] of cases) {
  test(`“${typed}” refers to ${chip}`, () => {
    expect(parseFileReference(typed)).toEqual(reference);
    expect(contextText(reference)).toBe(chip);
  });
}

for (const typed of ['', '   ', ':12', 'a.ts:9-3', 'a.ts:0']) {
  test(`“${typed}” is not a file reference`, () => expect(parseFileReference(typed)).toBeUndefined());
}
