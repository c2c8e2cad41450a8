import { expect, test } from 'vitest';
import { createOutgoingQueue } from './outgoing-queue.ts';

test('frames leave whole and in order, small ones packed together', () => {
  const written: Buffer[] = [];
  const queue = createOutgoingQueue((chunk) => written.push(chunk));
  const frames = [30_000, 30_000, 10_000, 70_000, 5, 65_536, 1].map((size, index) => Buffer.alloc(size, index + 1));
  for (const frame of frames) queue.add(frame);
  expect(queue.bytes()).toBe(1);
  queue.flush();
  queue.flush();
  expect(written.map((chunk) => chunk.length)).toEqual([60_000, 10_000, 70_000, 5, 65_536, 1]);
  expect(Buffer.concat(written)).toEqual(Buffer.concat(frames));
  expect(queue.bytes()).toBe(0);
});
