import { expect, test } from 'vitest';
import { createSchedule } from './schedule.ts';

/** So long that nothing is earned back within a test. */
const BATCH_MS = 60_000;

function spend(): { schedule: ReturnType<typeof createSchedule>; reads: () => number } {
  let reads = 0;
  const schedule = createSchedule(BATCH_MS, () => {
    reads += 1;
  });
  while (!schedule.isPending) schedule.soon();
  return { schedule, reads: () => reads };
}

test('after many reads in a row, what comes next waits for company', () => {
  const { schedule, reads } = spend();
  expect(reads()).toBe(32);
  schedule.soon();
  expect(reads()).toBe(32);
  schedule.cancel();
});

test('what somebody waits for is read at once, however much was read before it', () => {
  const { schedule, reads } = spend();
  schedule.cancel();
  schedule.renew();
  schedule.soon();
  expect(reads()).toBe(33);
  expect(schedule.isPending).toBe(false);
});

test('a read that waits for company already still waits', () => {
  const { schedule, reads } = spend();
  schedule.renew();
  schedule.soon();
  expect(reads()).toBe(32);
  expect(schedule.isPending).toBe(true);
  schedule.cancel();
});
