import { expect, test } from 'vitest';
import { LIMITS } from '../../../src/protocol/limits.ts';
import { NO_ATTACHMENTS, type Picture } from '../../client/storage/attachments.ts';
import { bytesOf, tooLargeProblem } from './attachments.ts';

const picture = (base64: string): Picture => ({ id: 'p', name: 'p.png', mediaType: 'image/png', bytes: bytesOf(base64), base64 });

for (const bytes of [0, 1, 2, 3, 4, 1000]) {
  test(`the base64 of ${bytes} bytes counts as ${bytes} bytes`, () => expect(bytesOf(Buffer.alloc(bytes).toString('base64'))).toBe(bytes));
}

test('a message that would close the connection is refused before it is sent', () => {
  const half = 'A'.repeat(LIMITS.frameBytes / 2);
  expect(tooLargeProblem('look', { ...NO_ATTACHMENTS, pictures: [picture(half)] })).toBeUndefined();
  expect(tooLargeProblem('look', { ...NO_ATTACHMENTS, pictures: [picture(half), picture(half)] })).toMatch(/about 32 MB, the limit is 32 MB.*Remove an image/);
});

test('a long text counts too', () => {
  expect(tooLargeProblem('x'.repeat(LIMITS.frameBytes / 2), NO_ATTACHMENTS)).toMatch(/too large/);
});
