import { expect, test } from 'vitest';
import { createSchedule } from './schedule.ts';

/** So long that no credit comes back within a test. */
const BATCH_MS = 60_000;

function spendCredit(): { schedule: ReturnType<typeof createSchedule>; reads: () => number } {
  let reads = 0;
  const schedule = createSchedule(BATCH_MS, () => {
    reads += 1;
  });
  while (!schedule.isPending) schedule.soon();
  return { schedule, reads: () => reads };
}

test('after many reads in a row, the next one waits for more', () => {
  const { schedule, reads } = spendCredit();
  expect(reads()).toBe(32);
  schedule.soon();
  expect(reads()).toBe(32);
  schedule.cancel();
});

test('awaited output is read at once, however much was read before', () => {
  const { schedule, reads } = spendCredit();
  schedule.cancel();
  schedule.renew();
  schedule.soon();
  expect(reads()).toBe(33);
  expect(schedule.isPending).toBe(false);
});

test('a read that is already waiting for more keeps waiting', () => {
  const { schedule, reads } = spendCredit();
  schedule.renew();
  schedule.soon();
  expect(reads()).toBe(32);
  expect(schedule.isPending).toBe(true);
  schedule.cancel();
});
