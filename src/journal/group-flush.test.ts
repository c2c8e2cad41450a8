import { expect, test } from 'vitest';
import { GroupFlush } from './group-flush.ts';

/** Flushes that end when the test says so. */
function heldFlushes() {
  const ends: { resolve: () => void; reject: (error: Error) => void }[] = [];
  const flush = new GroupFlush(() => new Promise<void>((resolve, reject) => ends.push({ resolve, reject })));
  return { flush, ends };
}

test('who asks during a flush shares the next one, since the running one may have begun too early', async () => {
  const { flush, ends } = heldFlushes();
  const first = flush.request();
  const [second, third] = [flush.request(), flush.request()];
  expect(ends).toHaveLength(1);
  ends[0]!.resolve();
  await first;
  await Promise.resolve();
  expect(ends).toHaveLength(2);
  ends[1]!.resolve();
  await Promise.all([second, third]);
  expect(ends).toHaveLength(2);
});

test('a failed flush is told to those who waited for it, and the next one begins anew', async () => {
  const { flush, ends } = heldFlushes();
  const first = flush.request();
  const second = flush.request();
  ends[0]!.reject(new Error('no'));
  await expect(first).rejects.toThrow('no');
  await Promise.resolve();
  ends[1]!.resolve();
  await second;
});
