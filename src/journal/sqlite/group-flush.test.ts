import { expect, test } from 'vitest';
import { GroupFlush } from './group-flush.ts';

/** Flushes that end when the test ends them. */
function manualFlushes() {
  const ends: { resolve: () => void; reject: (error: Error) => void }[] = [];
  let written = 0;
  const flush = new GroupFlush(
    () => new Promise<void>((resolve, reject) => ends.push({ resolve, reject })),
    () => written,
  );
  const write = () => {
    written += 1;
  };
  return { flush, ends, write };
}

test('a caller that wrote during a flush shares the next one, because the running one may have started too early', async () => {
  const { flush, ends, write } = manualFlushes();
  const first = flush.request();
  write();
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

test('[R263] a caller that asks during a flush shares it if nothing was written since it started', async () => {
  const { flush, ends } = manualFlushes();
  const both = Promise.all([flush.request(), flush.request()]);
  ends[0]!.resolve();
  await both;
  expect(ends).toHaveLength(1);
});

test('flushed writes are not flushed again', async () => {
  const { flush, ends, write } = manualFlushes();
  const first = flush.request();
  ends[0]!.resolve();
  await first;
  await flush.request();
  expect(ends).toHaveLength(1);
  write();
  const second = flush.request();
  expect(ends).toHaveLength(2);
  ends[1]!.resolve();
  await second;
});

test('a failed flush rejects every caller waiting for it, and the next one starts over, even if nothing was written since', async () => {
  const { flush, ends } = manualFlushes();
  const both = [flush.request(), flush.request()];
  ends[0]!.reject(new Error('no'));
  for (const one of both) await expect(one).rejects.toThrow('no');
  const again = flush.request();
  expect(ends).toHaveLength(2);
  ends[1]!.resolve();
  await again;
});
