import { expect, test } from 'vitest';
import { findDrawn } from './find-drawn.ts';

const SOURCE = '# Plan\n\nFirst, **read** the file. Then change `total`.\nThen run it.\n\n- change total\n';

const cases = [
  [
    'two sentences across a line end and markup',
    { before: 'Plan', text: 'read the file. Then change total.', after: ' Then run it. change total' },
    'read** the file. Then change `total',
  ],
  ['words that occur once', { before: 'First, ', text: 'the file.', after: '' }, 'the file.'],
  ['the second of two', { before: 'Plan First, read the file. Then change total. Then run it. ', text: 'change total', after: '' }, 'change total'],
] as const;
for (const [name, selection, words] of cases) {
  test(`[R511] a selection in drawn text is found in its source: ${name}`, () => {
    const range = findDrawn(SOURCE, selection);
    expect(range && SOURCE.slice(...range)).toBe(words);
  });
}

test('[R511] a selection that may be elsewhere is not placed', () => {
  expect(findDrawn('a link [total](total) and total', { before: 'a link ', text: 'total', after: ' and total' })).toBeUndefined();
  expect(findDrawn(SOURCE, { before: '', text: '…', after: '' })).toBeUndefined();
  expect(findDrawn(SOURCE, { before: '', text: 'not there', after: '' })).toBeUndefined();
});
