import { expect, test } from 'vitest';
import { createBacklog } from './outgoing-queue.ts';

test('frames leave in order and whole, small ones together', () => {
  const written: Buffer[] = [];
  const backlog = createBacklog((chunk) => written.push(chunk));
  const frames = [30_000, 30_000, 10_000, 70_000, 5, 65_536, 1].map((size, index) => Buffer.alloc(size, index + 1));
  for (const frame of frames) backlog.add(frame);
  expect(backlog.bytes()).toBe(1);
  backlog.flush();
  backlog.flush();
  expect(written.map((chunk) => chunk.length)).toEqual([60_000, 10_000, 70_000, 5, 65_536, 1]);
  expect(Buffer.concat(written)).toEqual(Buffer.concat(frames));
  expect(backlog.bytes()).toBe(0);
});
