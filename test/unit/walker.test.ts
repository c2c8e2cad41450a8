import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { overflow } from '../support/browser/check-surfaces.ts';

const pageThat = (evaluate: () => Promise<readonly string[]>) => ({ evaluate }) as unknown as Page;

test('a surface that cannot be measured does not pass', async () => {
  expect(await overflow(pageThat(() => Promise.reject(new Error('the page is gone'))))).toEqual(['not measured: the page is gone']);
});

test('an overflow is reported even if the page can no longer be measured', async () => {
  const answers = [Promise.resolve(['overflow: 8 px'])];
  expect(await overflow(pageThat(() => answers.shift() ?? Promise.reject(new Error('the page is gone'))))).toEqual(['overflow: 8 px']);
});

test('a surface on which everything fits has no faults', async () => {
  expect(await overflow(pageThat(() => Promise.resolve([])))).toEqual([]);
});
