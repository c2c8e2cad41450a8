import { expect, test } from 'vitest';
import { forkTitle, titleFrom } from './summary.ts';

test('[R384] a session without a title has a short one from its first line, without Markdown, cut after a word', () => {
  expect(titleFrom('\n  ## Fix the login\n\nIt fails.')).toBe('Fix the login');
  expect(titleFrom('Please find out why the checkout suite fails about one run in five, before you change anything')).toBe(
    'Please find out why the checkout suite fails about one run…',
  );
  expect(titleFrom('x'.repeat(90))).toBe(`${'x'.repeat(59)}…`);
  expect(titleFrom(' \n ')).toBeUndefined();
  expect(titleFrom(null)).toBeUndefined();
});

test('[R384] a fork is titled after the session it continues, and a fork of a fork too', () => {
  expect(forkTitle('Fix the login')).toBe('Fork of Fix the login');
  expect(forkTitle('Fork of Fix the login')).toBe('Fork of Fix the login');
});
