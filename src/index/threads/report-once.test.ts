import { expect, test } from 'vitest';
import type { IndexingNews } from './messages.ts';
import { Troubles } from './report-once.ts';

test('work that fails is said once for each reason, and again after it went well', () => {
  const posted: IndexingNews[] = [];
  const troubles = new Troubles((news) => posted.push(news));
  const fail = (reason: string) => () => {
    throw new Error(reason);
  };
  expect(troubles.during('looking', fail('the disk is full'))).toBeUndefined();
  troubles.during('looking', fail('the disk is full'));
  expect(posted).toHaveLength(1);
  troubles.during('looking', fail('no rights'));
  expect(troubles.during('looking', () => 7)).toBe(7);
  troubles.during('looking', fail('no rights'));
  expect(posted.map((news) => news.tell === 'trouble' && news.reason.split('\n')[0])).toEqual([
    'Error: the disk is full',
    'Error: no rights',
    'Error: no rights',
  ]);
});
