import { expect, test } from 'vitest';
import type { RecordsNews } from './messages.ts';
import { ProblemReporter } from './report-once.ts';

test('a failure is reported once for each reason, and again after a success', () => {
  const posted: RecordsNews[] = [];
  const reporter = new ProblemReporter((news) => posted.push(news));
  const fail = (reason: string) => () => {
    throw new Error(reason);
  };
  expect(reporter.during('looking', fail('the disk is full'))).toBeUndefined();
  reporter.during('looking', fail('the disk is full'));
  expect(posted).toHaveLength(1);
  reporter.during('looking', fail('no rights'));
  expect(reporter.during('looking', () => 7)).toBe(7);
  reporter.during('looking', fail('no rights'));
  expect(posted.map((news) => news.kind === 'problem' && news.reason.split('\n')[0])).toEqual([
    'Error: the disk is full',
    'Error: no rights',
    'Error: no rights',
  ]);
});
