import { expect, test } from 'vitest';
import type { RecordsNews } from './messages.ts';
import { ProblemReporter } from './problem-reporter.ts';

test('a failure is reported once per reason, and again after a success', () => {
  const posted: RecordsNews[] = [];
  const reporter = new ProblemReporter((news) => posted.push(news));
  const fail = (reason: string) => () => {
    throw new Error(reason);
  };
  expect(reporter.during('sweeping', fail('the disk is full'))).toBeUndefined();
  reporter.during('sweeping', fail('the disk is full'));
  expect(posted).toHaveLength(1);
  reporter.during('sweeping', fail('no permission'));
  expect(reporter.during('sweeping', () => 7)).toBe(7);
  reporter.during('sweeping', fail('no permission'));
  expect(posted.map((news) => news.kind === 'problem' && news.reason.split('\n')[0])).toEqual([
    'Error: the disk is full',
    'Error: no permission',
    'Error: no permission',
  ]);
});
